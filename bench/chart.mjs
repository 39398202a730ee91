// The chart of docs/performance.md: signups a second compared with alternatives, and latency compared with the echo. Readable on light and dark pages.

const WIDTH = 720;
const LABELS = 200;
const VALUES = 90;
const ROW = 30;
const BAR = 18;
const HEAD = 54;
const GAP = 14;
const STYLE = `
  text { font: 14px system-ui, sans-serif; fill: #24292f }
  .head { font-weight: 600; font-size: 15px }
  .other { fill: #8c959f } .ours { fill: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .other { fill: #7d8590 } .ours { fill: #3fb950 }
  }`;

/** @param panels `{ title, bars: { label, value, text, isOurs }[] }` each */
export function chart(panels) {
  let y = 0;
  const parts = panels.flatMap(({ title, bars }) => {
    const max = Math.max(...bars.map(({ value }) => value));
    const top = y + 24;
    y += HEAD;
    const rows = bars.flatMap((bar, index) => row(bar, y + index * ROW, max));
    y += bars.length * ROW + GAP;
    return [`<text class="head" x="0" y="${top}">${escapeXml(title)}</text>`, ...rows];
  });
  const titles = panels.map(({ title }) => title).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" aria-label="${escapeXml(titles)}">
<style>${STYLE}
</style>
${parts.join('\n')}
</svg>
`;
}

function row({ label, value, text, isOurs }, y, max) {
  const length = Math.max(1, ((WIDTH - LABELS - VALUES) * value) / max).toFixed(1);
  const middle = y + BAR - 4;
  return [
    `<text x="0" y="${middle}">${escapeXml(label)}</text>`,
    `<rect class="${isOurs ? 'ours' : 'other'}" x="${LABELS}" y="${y}" width="${length}" height="${BAR}" rx="2"/>`,
    `<text x="${(LABELS + Number(length) + 8).toFixed(1)}" y="${middle}">${escapeXml(text)}</text>`,
  ];
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
