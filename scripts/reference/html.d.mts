/** Types of html.mjs, for the tests. */
export class Html {
  toString(): string;
}
export type Part = Html | string | number | undefined | readonly Part[];
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html;
export function prose(text: string): Html;
export function code(text: string, name?: string): Html;
