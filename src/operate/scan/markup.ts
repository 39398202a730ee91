/** Decides how text of strangers gets into a page: as text, never as markup, and without characters that control. */
import { printableLine } from '../../platform/printable.ts';

/** Text that is markup, made by `html` alone. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template of markup; what is put into it is escaped, unless it is markup itself. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(texts.reduce((page, text, at) => page + textOf(parts[at - 1] as Part) + text));
}

export const NOTHING = new Markup('');

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return printableLine(String(part)).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}
