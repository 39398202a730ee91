/** Measures of a page: cut-off content, empty space, and the position of table headers. All of it runs in the page. */

export interface Head {
  readonly table: string | null;
  /** Pixels between the header and the line where it should stay, once that line is among the rows. */
  readonly off: number;
  /** Pixels between the upper edges of header and table. */
  readonly fromTop: number;
  /** Text of a row that is visible between the line and the header; empty if there is none. */
  readonly under: string;
}

interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  readonly width: number;
  readonly height: number;
}
interface Element {
  readonly textContent: string;
  readonly parentElement: Element | null;
  readonly clientWidth: number;
  readonly scrollWidth: number;
  readonly clientTop: number;
  scrollTop: number;
  readonly style: { paddingBottom: string };
  closest(selector: string): Element | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
  querySelectorAll(selector: string): Iterable<Element>;
  getBoundingClientRect(): Box;
}
interface InPage {
  readonly document: Element & {
    readonly scrollingElement: Element;
    elementFromPoint(x: number, y: number): Element | null;
  };
  requestAnimationFrame(then: () => void): void;
  getComputedStyle(of: Element): {
    readonly display: string;
    readonly position: string;
    readonly overflowY: string;
  };
}

/** Boxes that overflow their cell, where no ellipsis can end them. */
export function findCutBoxes(): string[] {
  const { document, getComputedStyle } = globalThis as unknown as InPage;
  return [...document.querySelectorAll('td')].flatMap((cell) => {
    const edge = cell.getBoundingClientRect().right;
    const boxes = [...cell.querySelectorAll('*')].filter((box) => {
      const { display, position } = getComputedStyle(box);
      return /flex|inline-block/.test(display) && position !== 'absolute';
    });
    const cut = boxes.some((box) => {
      const { right, width } = box.getBoundingClientRect();
      return width > 0 && right > edge;
    });
    return cut ? [cell.textContent] : [];
  });
}

/** Empty space beside the last figure, without the border of its card. */
export function findHole(): number {
  const { document } = globalThis as unknown as InPage;
  const [card, last] = ['[class*=_stats_]', '[class*=_stats_] > :last-child'].map(
    (selector) => [...document.querySelectorAll(selector)][0] as Element,
  ) as [Element, Element];
  const room = card.getBoundingClientRect().right - last.getBoundingClientRect().right;
  return Math.max(0, Math.round(room - 1));
}

/** Row names that do not fit into their cell. */
export function findCutNames(): string[] {
  const { document } = globalThis as unknown as InPage;
  return [...document.querySelectorAll('td:first-child')]
    .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent);
}

/** Makes the page long enough that short tables can also be scrolled out of sight. */
export async function addRoom(): Promise<void> {
  const { document, requestAnimationFrame } = globalThis as unknown as InPage;
  (document.querySelector('main') as Element).style.paddingBottom = '100vh';
  // Styles change within a transition, however short.
  for (let frame = 0; frame < 3; frame += 1) await new Promise<void>((next) => requestAnimationFrame(next));
}

/** Scrolls each table until its upper rows have passed the line, and measures where its header is. */
export function measureHeads(place: string): Head[] {
  const { document, getComputedStyle } = globalThis as unknown as InPage;
  const PAST = 34;
  return [...document.querySelectorAll(`${place} [class*=_scroll_] > table`)].flatMap((table) => {
    // A column that only wide windows show has a header without a box elsewhere.
    const head = [...table.querySelectorAll('th')].find(
      (cell) => cell.getBoundingClientRect().width > 0,
    ) as Element;
    // Another header is in front of it, or it is too short to scroll out of sight.
    const behind = table.closest('aside, main') !== document.querySelector(place);
    if (behind || table.getBoundingClientRect().height < PAST + 40) return [];
    let box = table.parentElement;
    while (box !== null && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
    const scroller = box ?? document.scrollingElement;
    const bar = document.querySelector('header[class*=_top_]') as Element;
    const line = () =>
      Math.round(
        box === null ? bar.getBoundingClientRect().bottom : box.getBoundingClientRect().top + box.clientTop,
      );
    scroller.scrollTop += table.getBoundingClientRect().top - line() + PAST;
    const at = table.getBoundingClientRect();
    const { top } = head.getBoundingClientRect();
    const between = top > line() + 1 ? document.elementFromPoint(at.left + 30, (top + line()) / 2) : null;
    return [
      {
        table: table.getAttribute('aria-label'),
        off: Math.round(top - line()),
        fromTop: Math.round(top - at.top),
        under: between?.closest('td')?.textContent ?? '',
      },
    ];
  });
}
