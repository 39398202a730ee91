/** Makes the page that a person gets who asked for their data: sentences, no script, nothing from elsewhere. */
import type { PersonChapter } from '../../../src/contract/dashboard-privacy.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:44em;margin:2em auto;padding:0 1em}h2{margin-top:1.6em;font-size:1.1em}p{margin:.3em 0;overflow-wrap:anywhere}';
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function personPage(chapters: readonly PersonChapter[]): string {
  const body = chapters
    .map(({ title, sentences }) => [`<h2>${escaped(title)}</h2>`, ...sentences.map(toParagraph)].join('\n'))
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Your data</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Your data</h1>
${body}
</body>
</html>
`;
}

const toParagraph = (sentence: string) => `<p dir="auto">${escaped(sentence)}</p>`;

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => ESCAPES[letter] ?? letter);
}
