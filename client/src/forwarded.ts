/** Splits the headers that proxies append addresses to into one text for each proxy, the nearest one last; empty elements are none. */

/** The entries of `X-Forwarded-For`; a quoted one without its quotes. */
export function splitForwardedFor(value: string): string[] {
  return value.split(',').filter(isElement).map(unquote);
}

/** The `for` of each element of `Forwarded` (RFC 7239); empty where an element has none, or has two. */
export function splitForwarded(value: string): string[] {
  const elements = splitUnquoted(value, ',').filter(isElement);
  return elements.map((element) => {
    const nodes = splitUnquoted(element, ';').flatMap((pair) => {
      const [, name = '', node = ''] = /^\s*([^\s=]+)\s*=(.*)$/s.exec(pair) ?? [];
      return name.toLowerCase() === 'for' ? [unquote(node)] : [];
    });
    return nodes.length === 1 ? (nodes[0] as string) : '';
  });
}

/** An empty element of a list is no element (RFC 9110, section 5.6.1), so it counts as no proxy. */
function isElement(text: string): boolean {
  return text.trim() !== '';
}

/** `"[2001:db8::7]:443"` → `[2001:db8::7]:443`. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  if (!/^".*"$/s.test(trimmed) || trimmed.length < 2) return trimmed;
  return trimmed.slice(1, -1).replace(/\\(.)/gs, '$1').trim();
}

/**
 * Splits where the separator is in no quoted text. It reads from the right: a quote that the sender of the request opened and
 * did not close must not swallow what a trusted proxy appended.
 */
function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = [];
  let end = text.length;
  let isQuoted = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const character = text[at];
    if (character === '"' && !(isQuoted && isEscaped(text, at))) isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      parts.unshift(text.slice(at + 1, end));
      end = at;
    }
  }
  return [text.slice(0, end), ...parts];
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
