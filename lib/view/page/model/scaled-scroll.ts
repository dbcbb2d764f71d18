/** Maximum height of a scrolled element, in pixels; Firefox supports 17,895,698. */
const MAX_PIXELS = 8_000_000;

/**
 * The offset in a list that is higher than browsers can scroll. The scroll bar then covers a scaled height, but the
 * wheel and the keys still move by pixels of the list, so the exact `offset` is stored in addition to the position of
 * the scroll bar.
 */
export class ScaledScroll {
  /** Offset of the visible part in the list, in pixels. */
  offset = 0;
  #element: HTMLElement | undefined;
  #total = 0;
  /** The last position that was set for the bar. */
  #put = 0;
  #listener: ((offset: number, isScrolling: boolean) => void) | undefined;

  /** Height of the inner element, in pixels. */
  get height(): number {
    return Math.min(this.#total, MAX_PIXELS);
  }

  /** Height of the list. */
  set total(pixels: number) {
    this.#total = pixels;
  }

  /** Returns the position, in pixels in the scrolled element, of a row that starts at `start` in the list. */
  shown(start: number): number {
    return start - this.offset + (this.#element?.scrollTop ?? 0);
  }

  /** Calls `listener` with each offset until the returned function is called. */
  observe(element: HTMLElement, listener: (offset: number, isScrolling: boolean) => void): () => void {
    this.#element = element;
    this.#listener = listener;
    let still: ReturnType<typeof setTimeout> | undefined;
    const scrolled = (): void => {
      const { scrollTop } = element;
      // The bar is at whole pixels of the screen; the offset that `to` has set is more precise.
      if (Math.abs(scrollTop - this.#put) >= 1) this.offset = scrollTop * this.#scale;
      this.#put = scrollTop;
      listener(this.offset, true);
      clearTimeout(still);
      still = setTimeout(() => listener(this.offset, false), 150);
    };
    const wheeled = (event: WheelEvent): void => {
      if (this.#scale === 1 || event.ctrlKey) return;
      event.preventDefault();
      this.to(this.offset + event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 : 1));
    };
    element.addEventListener('scroll', scrolled, { passive: true });
    element.addEventListener('wheel', wheeled, { passive: false });
    listener(this.offset, false);
    return () => {
      clearTimeout(still);
      element.removeEventListener('scroll', scrolled);
      element.removeEventListener('wheel', wheeled);
    };
  }

  /** Scrolls to an offset. */
  to(offset: number): void {
    const element = this.#element;
    if (element === undefined) return;
    this.offset = Math.max(0, Math.min(offset, this.#total - element.clientHeight));
    element.scrollTop = this.offset / this.#scale;
    this.#put = element.scrollTop;
    this.#listener?.(this.offset, false);
  }

  get #scale(): number {
    if (this.#total <= MAX_PIXELS) return 1;
    const window = this.#element?.clientHeight ?? 0;
    return (this.#total - window) / (MAX_PIXELS - window);
  }
}
