/** Shows the parts of a sentence: those that count something are links. */
import { Link } from 'wouter';
import { type Scope, useScope } from '../scope.ts';
import type { Part } from './today-sentence.ts';

export function Parts({ parts }: { parts: readonly Part[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the same words may come twice in a sentence
  return parts.map((part, index) => <PartText key={index} part={part} />);
}

function PartText({ part }: { part: Part }) {
  const href = hrefOf(part, useScope());
  return href === undefined ? part.text : <Link href={href}>{part.text}</Link>;
}

export function hrefOf({ filter, page, query }: Part, scope: Scope): string | undefined {
  if (filter !== undefined) return scope.page('assessments', { period: undefined, ...filter });
  return page === undefined ? undefined : scope.page(page, { period: undefined, ...query });
}
