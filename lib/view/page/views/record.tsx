import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Media, RecordTree, ValuePlace } from '../../protocol';
import { countText, indented, plural, sizeText } from '../format';
import { Feature, Foldable, type RecordPlace } from '../parts/feature';
import { Hex } from '../parts/hex';
import { Picture } from '../parts/picture';

interface RecordProps {
  readonly at: RecordPlace;
  /** Index in the list, and the length of the list. */
  readonly index: number;
  readonly count: number;
  readonly onMove: (index: number) => void;
}

const RAW: ValuePlace = { section: 'raw', name: '', step: 0, index: 0 };

/** The view of one record: its picture with objects, its features, its bytes. */
export function Record({ at, index, count, onMove }: RecordProps): ComponentChildren {
  const { client, file, record } = at;
  const [state, setState] = useState<{ record: number; tree?: RecordTree; error?: string }>({ record });
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    const cancel = new AbortController();
    client.ask('record', { file, record }, { signal: cancel.signal }).then(
      (tree) => setState({ record, tree }),
      (error: unknown) => {
        if (!cancel.signal.aborted) setState({ record, error: (error as Error).message });
      },
    );
    return () => cancel.abort(new Error('no longer shown'));
  }, [client, file, record]);
  useLayoutEffect(() => article.current?.focus({ preventScroll: true }), []);
  // The previous record stays until the next one is loaded, to avoid flickering.
  const { tree, error } = state;
  return (
    <article
      ref={article}
      class="record"
      tabIndex={-1}
      aria-label={`Record ${record}`}
      aria-busy={state.record !== record}
    >
      <header>
        <button type="button" aria-label="Previous record" disabled={index === 0} onClick={() => onMove(index - 1)}>
          ←
        </button>
        <button type="button" aria-label="Next record" disabled={index + 1 >= count} onClick={() => onMove(index + 1)}>
          →
        </button>
        <h2>Record {countText(record)}</h2>
        {tree === undefined ? null : (
          <p class="facts">
            {tree.kind === 'bytes' ? 'not an Example' : tree.kind} · {sizeText(tree.bytes)} · at byte{' '}
            {countText(tree.offset)}
          </p>
        )}
      </header>
      {error === undefined ? null : <p class="problem">{error}</p>}
      {tree === undefined ? null : <Tree key={tree.record} at={{ client, file, record: tree.record }} tree={tree} />}
    </article>
  );
}

function Tree({ at, tree }: { readonly at: RecordPlace; readonly tree: RecordTree }): ComponentChildren {
  const { context, lists, event, problem, kind, bytes } = tree;
  const main = mainPicture(tree);
  return (
    <div class={main === undefined ? 'tree' : 'tree with-picture'}>
      {main === undefined ? null : <Main at={at} tree={tree} place={main.place} media={main.media} />}
      <div class="features">
        {problem === null ? null : <p class="problem">{problem.message}</p>}
        {event === null ? null : (
          <pre class="text" tabIndex={0} role="group" aria-label="The event as JSON">
            {indented(event)}
          </pre>
        )}
        {context.length === 0 ? null : (
          <section>
            <h3>{kind === 'SequenceExample' ? 'Context' : 'Features'}</h3>
            {context.map(({ name, feature }) => (
              <Feature
                key={name}
                at={at}
                section="context"
                name={name}
                step={0}
                feature={feature}
                elsewhere={main !== undefined && (name === main.place.name || name === 'image/object/mask')}
              />
            ))}
          </section>
        )}
        {lists.length === 0 ? null : (
          <section>
            <h3>Feature lists</h3>
            {lists.map((list) => (
              <List key={list.name} at={at} list={list} />
            ))}
          </section>
        )}
        <Raw at={at} bytes={bytes} open={kind === 'bytes'} />
      </div>
    </div>
  );
}

function Raw({
  at,
  bytes,
  open,
}: {
  readonly at: RecordPlace;
  readonly bytes: number;
  readonly open: boolean;
}): ComponentChildren {
  const summary = (
    <>
      <span class="name">Bytes of the record</span>
      <span class="count">{sizeText(bytes)}</span>
    </>
  );
  return (
    <Foldable kind="feature raw" open={open} summary={summary}>
      {() => <Hex {...at} place={RAW} bytes={bytes} />}
    </Foldable>
  );
}

const FEW_STEPS = 64;

function List({
  at,
  list,
}: {
  readonly at: RecordPlace;
  readonly list: RecordTree['lists'][number];
}): ComponentChildren {
  const { name, count, steps } = list;
  const [all, setAll] = useState(false);
  const shown = all ? steps : steps.slice(0, FEW_STEPS);
  return (
    <details class="feature" open={count <= FEW_STEPS}>
      <summary>
        <span class="name">{name}</span>
        <span class="count">{plural(count, 'step')}</span>
      </summary>
      <div class="steps">
        {shown.map((step, i) => (
          <Feature key={i} at={at} section="lists" name={name} step={i} feature={step} title={String(i)} />
        ))}
        {shown.length < steps.length ? (
          <button type="button" onClick={() => setAll(true)}>
            {steps.length === count ? 'All' : 'The first'} {countText(steps.length)} steps
          </button>
        ) : null}
      </div>
    </details>
  );
}

/**
 * Returns the picture that contains the objects of a record: the first one that does not belong to an object itself.
 */
function mainPicture({ context }: RecordTree): { place: ValuePlace; media: Media } | undefined {
  for (const { name, feature } of context) {
    if (name.includes('/object/')) continue;
    const media = feature.items[0]?.media;
    if (media?.as === 'picture') return { place: { section: 'context', name, step: 0, index: 0 }, media };
  }
  return undefined;
}

interface MainProps {
  readonly at: RecordPlace;
  readonly tree: RecordTree;
  readonly place: ValuePlace;
  readonly media: Media;
}

function Main({ at, tree: { boxes, masks }, place, media }: MainProps): ComponentChildren {
  const [withBoxes, setBoxes] = useState(true);
  const [withMasks, setMasks] = useState(true);
  return (
    <figure class="main-picture">
      <Picture
        {...at}
        place={place}
        media={media}
        boxes={withBoxes ? boxes : []}
        masks={withMasks ? masks : null}
        label={`${place.name} of record ${at.record}`}
        named
      />
      <figcaption>
        <span>
          {place.name}, {media.width} × {media.height}
        </span>
        {boxes.length === 0 ? null : (
          <label>
            <input type="checkbox" checked={withBoxes} onChange={() => setBoxes(!withBoxes)} />{' '}
            {plural(boxes.length, 'object')}
          </label>
        )}
        {masks === null ? null : (
          <label>
            <input type="checkbox" checked={withMasks} onChange={() => setMasks(!withMasks)} />{' '}
            {plural(masks.count, 'mask')}
          </label>
        )}
      </figcaption>
    </figure>
  );
}
