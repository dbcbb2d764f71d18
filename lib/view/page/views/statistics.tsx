import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import type { FeatureStatistics } from '../../protocol';
import { countText, numberText, plural, shareText, sizeText } from '../format';
import type { StatisticsWork } from '../model/work';
import { Histogram } from '../parts/histogram';
import { ProgressBar, WorkError } from '../parts/progress';

interface StatisticsProps {
  readonly work: StatisticsWork | undefined;
  readonly onStart: () => void;
}

/** The view of statistics of all features: bounds, means, histograms, the most frequent texts. */
export function Statistics({ work, onStart }: StatisticsProps): ComponentChildren {
  const [wanted, setWanted] = useState('');
  if (work?.error !== undefined) return <WorkError message={work.error} onStart={onStart} />;
  if (work?.done === undefined) {
    return (
      <section class="empty">
        {work === undefined ? null : <ProgressBar what="Describing" progress={work.progress} onStop={work.stop} />}
      </section>
    );
  }
  const { records, features, leftOut } = work.done;
  const shown = features.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <section class="statistics" aria-label="Statistics">
      <header>
        <h2>
          {plural(features.length, 'feature')} of {plural(records, 'record')}
        </h2>
        <input
          type="search"
          placeholder="Filter features by name"
          aria-label="Filter features by name"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </header>
      {leftOut === null ? null : (
        <p class="note">
          {plural(leftOut.count, 'record')} left out: damaged, or not an Example or SequenceExample.
          {leftOut.kind === 'Event' ? ' The file has events of TensorBoard, which the view Records shows.' : ''}
        </p>
      )}
      <div class="cards">
        {shown.map((feature) => (
          <Card key={feature.name} feature={feature} records={records} />
        ))}
      </div>
    </section>
  );
}

function Card({
  feature,
  records,
}: {
  readonly feature: FeatureStatistics;
  readonly records: number;
}): ComponentChildren {
  const { name, type, present, missing, minValues, maxValues, numbers, texts, blobs } = feature;
  const values = minValues === maxValues ? countText(minValues) : `${countText(minValues)} to ${countText(maxValues)}`;
  const facts: (readonly [string, string])[] = [
    ['present', missing === 0 ? 'in all' : shareText(present, records)],
    ['values', values],
  ];
  if (numbers !== null) {
    const { summary, nan, infinite } = numbers;
    if (summary !== null) {
      facts.push(
        ['min', numberText(summary.min)],
        ['median', numberText(summary.median)],
        ['max', numberText(summary.max)],
        ['mean', numberText(summary.mean)],
        ['deviation', numberText(summary.deviation)],
        ['zeros', shareText(summary.zeros, feature.totalValues)],
      );
    }
    if (nan > 0) facts.push(['NaN', countText(nan)]);
    if (infinite > 0) facts.push(['infinite', countText(Math.round(infinite))]);
  }
  if (texts !== null)
    facts.push(['distinct', countText(texts.unique)], ['mean length', numberText(texts.averageLength)]);
  if (blobs !== null)
    facts.push(
      ['smallest', sizeText(blobs.min)],
      ['largest', sizeText(blobs.max)],
      ['mean', sizeText(Math.round(blobs.average))],
    );
  return (
    <section class="card">
      <h3>
        {name} <span class={`kind ${KINDS[type]}`}>{KINDS[type]}</span>
      </h3>
      {numbers !== null && numbers.buckets.length > 0 ? <Histogram name={name} buckets={numbers.buckets} /> : null}
      {texts !== null && texts.top.length > 0 ? <Top top={texts.top} /> : null}
      <dl>
        {facts.map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const KINDS = { INT: 'int64', FLOAT: 'float', STRING: 'text', BYTES: 'bytes', STRUCT: 'steps' } as const;
const FEW_TEXTS = 6;

function Top({ top }: { readonly top: NonNullable<FeatureStatistics['texts']>['top'] }): ComponentChildren {
  const most = top[0]!.count;
  return (
    <ol class="frequent">
      {top.slice(0, FEW_TEXTS).map(({ text, count }) => (
        <li key={text}>
          <span class="bar" style={{ width: `${(100 * count) / most}%` }} />
          <span class="text">{text === '' ? '(empty)' : text}</span>
          <span class="count">{countText(count)}</span>
        </li>
      ))}
    </ol>
  );
}
