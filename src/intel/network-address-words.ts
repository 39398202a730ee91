/** Decides how the address text of a bulk file becomes numbers, without the canonical text that a single address gets. */

/** Unsigned 32-bit words of an address: one for IPv4, four (high first) for IPv6. */
export type Width = 1 | 4;

const DOT = 46;
const COLON = 58;

/** Writes the words at `target[offset…]`; `false` when the text is not a plain dotted quad or IPv6 address. */
export function readWords(text: string, width: Width, target: Uint32Array, offset: number): boolean {
  return width === 1 ? readQuad(text, target, offset) : readGroups(text, target, offset);
}

function readQuad(text: string, target: Uint32Array, offset: number): boolean {
  let word = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (digits === 0) return false;
      word = word * 256 + part;
      part = 0;
      digits = 0;
      dots += 1;
    } else {
      if (code < 48 || code > 57 || (digits > 0 && part === 0)) return false;
      part = part * 10 + code - 48;
      digits += 1;
      if (part > 255) return false;
    }
  }
  if (dots !== 3 || digits === 0) return false;
  target[offset] = word * 256 + part;
  return true;
}

const groups = new Uint16Array(8);

function readGroups(text: string, target: Uint32Array, offset: number): boolean {
  const gap = text.indexOf('::');
  if (gap < 0) {
    if (scanGroups(text, 0, text.length, 0) !== 8) return false;
  } else {
    groups.fill(0);
    const head = scanGroups(text, 0, gap, 0);
    // The tail's place depends on its length: count it first, then write it against the end.
    const tail = head < 0 ? -1 : scanGroups(text, gap + 2, text.length, head);
    if (head < 0 || tail < 0 || tail > 7) return false;
    const length = tail - head;
    groups.copyWithin(8 - length, head, tail);
    groups.fill(0, head, 8 - length);
  }
  for (let word = 0; word < 4; word += 1) {
    target[offset + word] = (groups[word * 2] as number) * 0x10000 + (groups[word * 2 + 1] as number);
  }
  return true;
}

/** Reads `:`-separated groups of `text[from, to)` into `groups[at…]`; the next free place, or −1 when malformed. */
function scanGroups(text: string, from: number, to: number, at: number): number {
  if (from === to) return at;
  let next = at;
  let group = 0;
  let digits = 0;
  for (let index = from; index <= to; index += 1) {
    const code = index === to ? COLON : text.charCodeAt(index);
    if (code === COLON) {
      if (digits === 0 || next === 8) return -1;
      groups[next] = group;
      next += 1;
      group = 0;
      digits = 0;
    } else {
      const value = hexValue(code);
      if (value < 0 || digits === 4) return -1;
      group = group * 16 + value;
      digits += 1;
    }
  }
  return next;
}

function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
