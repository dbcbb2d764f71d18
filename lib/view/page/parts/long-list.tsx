import { observeElementRect, Virtualizer, type VirtualItem } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

import { ScaledScroll } from '../model/scaled-scroll';

interface LongListProps {
  readonly label: string;
  /** Number of entries. */
  readonly count: number;
  /** Number of entries side by side. */
  readonly columns: number;
  readonly rowHeight: number;
  /** The selected entry, which keys change. */
  readonly active: number;
  readonly onActive: (index: number) => void;
  readonly onOpen: (index: number) => void;
  readonly onMark: (index: number) => void;
  /** Called with the range of entries that are visible, or nearly. */
  readonly onShown: (first: number, end: number) => void;
  readonly isMarked: (index: number) => boolean;
  readonly children: (index: number) => ComponentChildren;
  /** Called with the width of the list in pixels. */
  readonly onWidth?: (width: number) => void;
  /** A change of this value scrolls to the active entry. */
  readonly reveal: unknown;
}

/** A list of any number of entries, with elements only for the visible ones. */
export function LongList(props: LongListProps): ComponentChildren {
  const { label, count, columns, rowHeight, active, onActive, onOpen, onMark, onShown, isMarked, onWidth } = props;
  const box = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer<number, undefined>((n) => n + 1, 0);
  const [scroll] = useState(() => new ScaledScroll());
  const lines = Math.ceil(count / columns);
  scroll.total = lines * rowHeight;
  const options = {
    count: lines,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 3,
    observeElementRect,
    observeElementOffset: (_: unknown, listener: (offset: number, isScrolling: boolean) => void) =>
      scroll.observe(box.current!, listener),
    scrollToFn: (offset: number) => scroll.to(offset),
    onChange: () => redraw(undefined),
  };
  const [list] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(options));
  list.setOptions(options);
  useLayoutEffect(() => list._didMount(), []);
  useLayoutEffect(() => list._willUpdate());
  useLayoutEffect(() => list.measure(), [rowHeight, columns]);
  useEffect(() => {
    const element = box.current!;
    const watch = new ResizeObserver(() => onWidth?.(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const show = (index: number): void => {
    const top = Math.floor(index / columns) * rowHeight;
    const height = box.current!.clientHeight;
    if (top < scroll.offset) scroll.to(top);
    else if (top + rowHeight > scroll.offset + height) scroll.to(top + rowHeight - height);
  };
  useLayoutEffect(() => {
    if (count > 0) show(Math.min(active, count - 1));
  }, [props.reveal, active, columns]);

  const items = list.getVirtualItems();
  const first = (items[0]?.index ?? 0) * columns;
  const end = Math.min(count, ((items.at(-1)?.index ?? -1) + 1) * columns);
  useEffect(() => onShown(first, end));

  const keyed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
    const page = Math.max(1, Math.floor(box.current!.clientHeight / rowHeight) - 1) * columns;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + columns,
      ArrowUp: active - columns,
      ...(columns > 1 ? { ArrowRight: active + 1, ArrowLeft: active - 1 } : {}),
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) onActive(Math.max(0, Math.min(to, count - 1)));
    else if (event.key === 'Enter') onOpen(active);
    else if (event.key === ' ') onMark(active);
    else return;
    event.preventDefault();
  };

  const entry = (index: number): ComponentChildren => (
    <div
      key={index}
      id={`entry-${index}`}
      role="option"
      aria-selected={isMarked(index)}
      aria-setsize={count}
      aria-posinset={index + 1}
      class={`entry${index === active ? ' active' : ''}${isMarked(index) ? ' marked' : ''}`}
      onClick={() => onActive(index)}
      onDblClick={() => onOpen(index)}
    >
      {props.children(index)}
    </div>
  );
  const line = ({ index, start }: VirtualItem): ComponentChildren => (
    <div
      key={index}
      role="presentation"
      class="line"
      style={{ height: `${rowHeight}px`, transform: `translateY(${scroll.shown(start)}px)` }}
    >
      {Array.from({ length: Math.min(columns, count - index * columns) }, (_, i) => entry(index * columns + i))}
    </div>
  );
  return (
    <div
      ref={box}
      class="long-list"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-multiselectable="true"
      aria-activedescendant={active >= first && active < end ? `entry-${active}` : undefined}
      onKeyDown={keyed}
    >
      <div role="presentation" class="lines" style={{ height: `${scroll.height}px` }}>
        {items.map(line)}
      </div>
    </div>
  );
}
