/** Losses of a page where the browser forces its own colours: drawings made of a background alone, and choices shown by one. */

interface Style {
  readonly backgroundColor: string;
  readonly backgroundImage: string;
  readonly borderTopWidth: string;
  readonly borderBottomWidth: string;
  readonly borderBottomColor: string;
  readonly outlineStyle: string;
  readonly outlineColor: string;
  readonly forcedColorAdjust: string;
  readonly visibility: string;
}

interface Element {
  readonly tagName: string;
  readonly className: unknown;
  readonly children: { readonly length: number };
  readonly textContent: string;
  readonly parentElement: Element | null;
  getBoundingClientRect(): { readonly width: number; readonly height: number };
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string | null;
}

interface InPage {
  readonly document: { querySelectorAll(selector: string): Iterable<Element> };
  getComputedStyle(element: Element): Style;
}

/** Runs in the page, before colours are forced: notes every element that only its background shows. */
export function noteDrawings(): number {
  const { document, getComputedStyle } = globalThis as unknown as InPage;
  const isClear = (colour: string) => colour === 'transparent' || /, 0\)$|\/ 0\)$/.test(colour);
  const groundOf = (element: Element | null): string => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!isClear(backgroundColor)) return backgroundColor;
    }
    return '';
  };
  let count = 0;
  for (const element of document.querySelectorAll('body *:not(svg, svg *, img, input, textarea, select)')) {
    if (element.children.length > 0 || element.textContent.trim() !== '') continue;
    const { width, height } = element.getBoundingClientRect();
    const { backgroundColor, backgroundImage, visibility } = getComputedStyle(element);
    if (width < 2 || height < 2 || visibility === 'hidden') continue;
    const isDrawn = backgroundImage.includes('gradient') || !isClear(backgroundColor);
    if (!isDrawn || (backgroundImage === 'none' && backgroundColor === groundOf(element.parentElement)))
      continue;
    element.setAttribute('data-drawn', '');
    count += 1;
  }
  return count;
}

/** Runs in the page, with forced colours: the drawings that are gone, and the choices that look like what was not chosen. */
export function findLost(): string[] {
  const { document, getComputedStyle } = globalThis as unknown as InPage;
  const nameOf = (element: Element) =>
    `${element.tagName} ${String(element.className)} ${element.textContent}`;
  const isBordered = ({ borderTopWidth, borderBottomWidth, outlineStyle }: Style) =>
    Number.parseFloat(borderTopWidth) > 0 ||
    Number.parseFloat(borderBottomWidth) > 0 ||
    outlineStyle !== 'none';
  const drawings = [...document.querySelectorAll('[data-drawn]')].filter((element) => {
    const style = getComputedStyle(element);
    return style.forcedColorAdjust !== 'none' && !isBordered(style);
  });
  const look = (element: Element) => {
    const style = getComputedStyle(element);
    return [style.borderTopWidth, style.borderBottomColor, style.outlineStyle, style.outlineColor].join();
  };
  const CHOICES = [
    ['nav a[aria-current]', 'nav a:not([aria-current])'],
    ['[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]'],
    ['tr[data-selected]', 'tr[data-row]:not([data-selected])'],
    ['.mantine-SegmentedControl-indicator', '.mantine-SegmentedControl-label'],
  ] as const;
  const choices = CHOICES.flatMap(([chosen, others]) => {
    const looks = [...document.querySelectorAll(others)].map(look);
    return [...document.querySelectorAll(chosen)].filter((element) => looks.includes(look(element)));
  });
  return [...drawings, ...choices].map(nameOf);
}

/** Runs in the page: the elements whose transitions or animations take longer than a hundredth of a second. */
export function findMotion(): string[] {
  interface Motion {
    readonly transitionDuration: string;
    readonly animationDuration: string;
  }
  const { document, getComputedStyle } = globalThis as unknown as InPage & {
    getComputedStyle(element: Element, part?: string): Motion;
  };
  const seconds = (list: string) => Math.max(...list.split(',').map((each) => Number.parseFloat(each)));
  const isMoving = ({ transitionDuration, animationDuration }: Motion) =>
    seconds(transitionDuration) > 0.01 || seconds(animationDuration) > 0.01;
  return [...document.querySelectorAll('*')]
    .filter((element) =>
      [undefined, '::before', '::after'].some((part) =>
        isMoving(getComputedStyle(element, part) as unknown as Motion),
      ),
    )
    .map((element) => `${element.tagName} ${String(element.className)}`);
}
