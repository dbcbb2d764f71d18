import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { BytesNode, Client, FeatureNode, ValuePlace } from '../../protocol';
import { countText, plural, sizeText } from '../format';
import { useValue } from '../model/pictures';
import { Hex } from './hex';
import { Picture } from './picture';
import { Sparkline } from './sparkline';

/** A record, and the client that requests its values. */
export interface RecordPlace {
  readonly client: Client;
  readonly file: number;
  readonly record: number;
}

interface FeatureProps {
  readonly at: RecordPlace;
  readonly section: 'context' | 'lists';
  readonly name: string;
  readonly step: number;
  readonly feature: FeatureNode;
  /** The title. Default: its name. */
  readonly title?: string;
  /** True if its values are shown elsewhere, so that it is closed at first. Default: false. */
  readonly elsewhere?: boolean;
}

const FEW_NUMBERS = 64;
const SPARKLINE_FROM = 8;
const FEW_ITEMS = 8;
const SHORT_TEXT = 120;

/** A feature and its values: in one line if they fit, else foldable. */
export function Feature(props: FeatureProps): ComponentChildren {
  const { name, feature, title = name, elsewhere = false } = props;
  const { kind, count } = feature;
  const short = shortText(feature);
  const head = (
    <>
      <span class="name">{title}</span>
      <span class={`kind ${kind}`}>{kind === 'none' ? 'no kind' : kind}</span>
    </>
  );
  if (short !== undefined) {
    return (
      <div class="feature short">
        {head}
        <span class="value">{short}</span>
      </div>
    );
  }
  const summary = (
    <>
      {head}
      <span class="count">{count === 1 ? sizeText(feature.items[0]?.bytes ?? 0) : plural(count, 'value')}</span>
    </>
  );
  return (
    <Foldable kind="feature" open={count <= 1024 && !elsewhere} summary={summary}>
      {() => (kind === 'bytes' ? <Items {...props} /> : <Numbers feature={feature} />)}
    </Foldable>
  );
}

interface FoldableProps {
  readonly kind: string;
  /** True if it is open at first. */
  readonly open: boolean;
  readonly summary: ComponentChildren;
  readonly children: () => ComponentChildren;
}

/** A foldable part. Its content is loaded only while it is open. */
export function Foldable({ kind, open, summary, children }: FoldableProps): ComponentChildren {
  const [shown, setShown] = useState(open);
  return (
    <details class={kind} open={open} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
      <summary>{summary}</summary>
      {shown ? children() : null}
    </details>
  );
}

/** Returns the text of values that fit into the line of the name; undefined if they do not. */
function shortText({ kind, count, numbers, items }: FeatureNode): string | undefined {
  if (count === 0) return kind === 'none' ? '' : 'no value';
  if (kind !== 'bytes') return count <= 6 ? numbers.join(', ') : undefined;
  const text = items[0]?.text;
  return count === 1 && typeof text === 'string' && text.length <= SHORT_TEXT && !text.includes('\n')
    ? text
    : undefined;
}

function Numbers({ feature: { kind, count, numbers } }: { feature: FeatureNode }): ComponentChildren {
  const [all, setAll] = useState(false);
  const shown = all ? numbers : numbers.slice(0, FEW_NUMBERS);
  return (
    <div class="numbers">
      {numbers.length >= SPARKLINE_FROM ? <Sparkline values={numbers} /> : null}
      <p class={`values ${kind}`}>
        {shown.join(', ')}
        {shown.length < count ? ' …' : ''}
      </p>
      {shown.length < numbers.length ? (
        <button type="button" onClick={() => setAll(true)}>
          {numbers.length === count ? 'All' : 'The first'} {countText(numbers.length)} values
        </button>
      ) : null}
    </div>
  );
}

function Items({ at, section, name, step, feature }: FeatureProps): ComponentChildren {
  const [all, setAll] = useState(false);
  const { count, items } = feature;
  const shown = all ? items : items.slice(0, FEW_ITEMS);
  return (
    <div class="items">
      {shown.map((item, index) => (
        <Item key={index} at={at} place={{ section, name, step, index }} item={item} alone={count === 1} />
      ))}
      {shown.length < items.length ? (
        <button type="button" onClick={() => setAll(true)}>
          {items.length === count ? 'All' : 'The first'} {countText(items.length)} values
        </button>
      ) : null}
    </div>
  );
}

interface ItemProps {
  readonly at: RecordPlace;
  readonly place: ValuePlace;
  readonly item: BytesNode;
  readonly alone: boolean;
}

function Item({ at, place, item, alone }: ItemProps): ComponentChildren {
  const { bytes, text, media } = item;
  const [asHex, setAsHex] = useState(false);
  const canHex = media !== null;
  return (
    <div class="item">
      {alone ? null : <span class="index">{place.index}</span>}
      <div class="content">
        {text !== null ? (
          <pre class="text" tabIndex={text.length > 2000 ? 0 : undefined}>
            {text}
            {text.length < bytes && new TextEncoder().encode(text).length < bytes ? ' …' : ''}
          </pre>
        ) : media === null || asHex ? (
          <Hex {...at} place={place} bytes={bytes} />
        ) : media.as === 'picture' ? (
          <Picture {...at} place={place} media={media} label={`${place.name}, value ${place.index}`} />
        ) : (
          <Sound at={at} place={place} mime={media.mime} />
        )}
        {canHex ? (
          <button type="button" class="quiet" aria-pressed={asHex} onClick={() => setAsHex(!asHex)}>
            {asHex
              ? `Show as ${media.as === 'picture' ? 'a picture' : 'sound'}`
              : `${media.mime}, ${sizeText(bytes)}: show bytes`}
          </button>
        ) : null}
      </div>
    </div>
  );
}

function Sound({ at, place, mime }: { at: RecordPlace; place: ValuePlace; mime: string }): ComponentChildren {
  const { url, error } = useValue(at.client, at.file, at.record, place, mime);
  if (error !== undefined) return <p class="note">{error}</p>;
  return <audio controls src={url} aria-label={`${place.name}, value ${place.index}`} />;
}
