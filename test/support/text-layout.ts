/** Measures of the text of a page: lines that lie over others, and code that breaks inside a word. It runs in the page. */

interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}
interface Element {
  readonly parentElement: Element | null;
  closest(selector: string): unknown;
  checkVisibility(): boolean;
  getBoundingClientRect(): Box;
}
interface TextNode {
  readonly data: string;
  readonly parentElement: Element;
}
interface TextRange {
  selectNodeContents(node: TextNode): void;
  setStart(node: TextNode, at: number): void;
  setEnd(node: TextNode, at: number): void;
  getClientRects(): Iterable<Box>;
}
interface InPage {
  readonly innerWidth: number;
  getComputedStyle(of: Element): { readonly overflowX: string };
  readonly document: {
    readonly body: object;
    readonly scrollingElement: { readonly scrollWidth: number };
    createTreeWalker(root: object, show: number): { nextNode(): TextNode | null };
    createRange(): TextRange;
  };
}

export interface TextLayout {
  /** Pixels that the page is wider than its window. */
  readonly tooWide: number;
  /** Pairs of texts that lie over each other. */
  readonly overlaps: readonly string[];
  /** Words of code on two lines. */
  readonly broken: readonly string[];
}

export function measureText(): TextLayout {
  const { document, innerWidth, getComputedStyle } = globalThis as unknown as InPage;
  /** Part of a line that can be seen past the boxes that cut it off or scroll it. */
  function clip(line: Box, of: Element): Box {
    let { top, bottom, left, right } = line;
    for (let box: Element | null = of; box !== null; box = box.parentElement) {
      if (getComputedStyle(box).overflowX === 'visible') continue;
      const edge = box.getBoundingClientRect();
      top = Math.max(top, edge.top);
      bottom = Math.min(bottom, edge.bottom);
      left = Math.max(left, edge.left);
      right = Math.min(right, edge.right);
    }
    return { top, bottom, left, right };
  }
  const walker = document.createTreeWalker(document.body, 4);
  const lines: (Box & { text: string })[] = [];
  const broken: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (
      node.data.trim() === '' ||
      !node.parentElement.checkVisibility() ||
      node.parentElement.closest('script, style, noscript, .skip') !== null
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // The space between lines belongs to both: only half of the height counts as text.
    for (const { top, bottom, left, right } of range.getClientRects()) {
      const quarter = (bottom - top) / 4;
      const seen = clip({ left, right, top: top + quarter, bottom: bottom - quarter }, node.parentElement);
      if (seen.right > seen.left && seen.bottom > seen.top) lines.push({ text: node.data.trim(), ...seen });
    }
    if (node.parentElement.closest('code') === null || node.parentElement.closest('pre') !== null) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\s/.]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  lines.sort((a, b) => a.top - b.top);
  const overlaps = lines.flatMap((line, at) => {
    const found: string[] = [];
    for (let next = at + 1; next < lines.length; next += 1) {
      const other = lines[next] as (typeof lines)[number];
      if (other.top >= line.bottom) break;
      const shared = Math.min(line.right, other.right) - Math.max(line.left, other.left);
      if (shared > 1 && line.text !== other.text) found.push(`${line.text} | ${other.text}`);
    }
    return found;
  });
  return { tooWide: document.scrollingElement.scrollWidth - innerWidth, overlaps, broken };
}
