/** Shows a domain or an address; one in other letters also as people write it, beside the form that is compared: some letters look like others. */
import { readableDomain } from './idn.ts';

export function DomainText({ text }: { text: string }) {
  const readable = readableDomain(text);
  if (readable === undefined) return <>{text}</>;
  return (
    <>
      {text} <bdi className="gh-dim">{readable}</bdi>
    </>
  );
}
