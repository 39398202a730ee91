/** A scan as one page that needs nothing else: no script, no font and no picture from anywhere. */
import { readFileSync } from 'node:fs';
import { count, percent } from '../signup-file/report-words.ts';
import { html, Markup, NOTHING } from './markup.ts';
import { drawBars, drawShare } from './scan-pictures.ts';
import type { DomainGroup, ScanReport, WaveExample, WaveReport } from './scan-report.ts';
import { aliasWords, factsOf, remarkLines, spanWords, summaryOf } from './scan-report-text.ts';

const MAX_WAVES = 100;
const DAY_S = 86_400;

/** @param source name of the list */
export function toScanPage(report: ScanReport, source: string): string {
  const style = new Markup(readFileSync(new URL('./scan-page.css', import.meta.url), 'utf8'));
  const { users, flagged, from, until } = report;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="robots" content="noindex">
<title>Scan of ${source} · Gatehouse</title>
<style>
${style}</style>
</head>
<body>
<main>
<header>
<p class="brand">Gatehouse</p>
<h1>Scan of ${source}</h1>
<p class="dim">${count(users)} users${from === null || until === null ? '' : `, ${spanWords(from, until)}`}</p>
<p class="lead">${count(flagged)} users (${percent(flagged, users)}) are in a wave or a mailbox farm, or at a throw-away or dead domain.</p>
</header>
${statsOf(report)}
${timelineOf(report)}
${wavesOf(report)}
${farmsOf(report)}
${aliasesOf(report)}
${domainsOf('Throw-away domains', report.disposable)}
${domainsOf('Domains that take no mail', report.dead)}
${domainsOf('Mistyped domains', report.mistyped)}
${roleOf(report)}
<ul class="notes">${remarkLines(report).map((line) => html`<li>${line}</li>`)}</ul>
</main>
</body>
</html>
`.text;
}

function statsOf(report: ScanReport): Markup {
  const cards = summaryOf(report).map(({ name, users }) => {
    const share = percent(users, report.users);
    return html`<div class="card"><span class="dim">${name}</span><strong>${count(users)}</strong><span class="dim">${share}</span>${drawShare(users / Math.max(1, report.users), `${name}: ${share}`)}</div>`;
  });
  return html`<section class="stats" aria-label="Findings">${cards}</section>`;
}

function timelineOf({ timeline }: ScanReport): Markup {
  if (timeline === null) return NOTHING;
  const { users, in_waves: waves, otherwise_flagged: others, step_s: stepS, from } = timeline;
  const rest = users.map((all, at) => all - (waves[at] ?? 0) - (others[at] ?? 0));
  const largest = Math.max(...users);
  const picture = drawBars(
    [
      { name: 'wave', counts: waves },
      { name: 'other', counts: others },
      { name: 'rest', counts: rest },
    ],
    'Signups over time: those of waves, others with a finding, and the rest',
    'chart',
  );
  const until = new Date(Date.parse(from) + stepS * users.length * 1_000).toISOString();
  const textOf = (time: string) => (stepS < DAY_S ? time.slice(0, 16).replace('T', ' ') : time.slice(0, 10));
  return html`<h2>When they signed up</h2>
<section class="card">
<div class="legend">${legendOf('wave', 'in waves')}${legendOf('other', 'other findings')}${legendOf('rest', 'nothing found')}</div>
${picture}
<div class="axis"><span>${textOf(from)}</span><span>a bar is ${stepWords(stepS)}, the highest ${count(largest)} users (UTC)</span><span>${textOf(until)}</span></div>
</section>`;
}

function legendOf(name: string, text: string): Markup {
  return html`<span><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${name}" width="10" height="10" rx="2"/></svg>${text}</span>`;
}

function stepWords(stepS: number): string {
  const [size, unit] =
    stepS >= DAY_S
      ? [stepS / DAY_S, 'day']
      : stepS >= 3_600
        ? [stepS / 3_600, 'hour']
        : [stepS / 60, 'minute'];
  return `${count(size)} ${unit}${size === 1 ? '' : 's'}`;
}

function wavesOf(report: ScanReport): Markup {
  const { waves } = report;
  if (waves.length === 0) return html`<h2>Waves</h2><p class="card dim">No waves were found.</p>`;
  const more = waves.length - MAX_WAVES;
  return html`<h2>${count(waves.length)} ${waves.length === 1 ? 'wave' : 'waves'}: many signups by one hand</h2>
<ol class="waves">${waves.slice(0, MAX_WAVES).map((wave) => waveOf(wave, report))}</ol>
${more > 0 ? html`<p class="dim">${count(more)} smaller waves are in the JSON of the scan.</p>` : NOTHING}`;
}

function waveOf(wave: WaveReport, { users }: ScanReport): Markup {
  const picture =
    wave.timeline.length === 0
      ? NOTHING
      : drawBars([{ name: 'wave', counts: wave.timeline }], 'Its signups over time', 'spark');
  return html`<li class="card">
<div class="head"><h3>${upperFirst(wave.shares)}</h3><span class="size">${count(wave.size)} · ${percent(wave.size, users)}</span></div>
<ul class="facts">${factsOf(wave).map((fact) => html`<li>${fact}</li>`)}</ul>
${picture}
<p class="examples">${examplesOf(wave.examples)}</p>
</li>
`;
}

function farmsOf({ mailbox_farms: farms }: ScanReport): Markup {
  if (farms.mailboxes === 0) return NOTHING;
  const rows = farms.largest.map(
    ({ spellings, from, until, examples }) =>
      html`<tr><td class="number">${count(spellings)}</td><td>${from === null || until === null ? '–' : spanWords(from, until)}</td><td>${examplesOf(examples)}</td></tr>
`,
  );
  return html`<h2>${count(farms.mailboxes)} mailbox ${farms.mailboxes === 1 ? 'farm' : 'farms'}: spellings of one mailbox</h2>
<div class="card scroll"><table><thead><tr><th class="number">Spellings</th><th>When</th><th>Examples</th></tr></thead><tbody>
${rows}</tbody></table></div>`;
}

function aliasesOf(report: ScanReport): Markup {
  const words = aliasWords(report);
  return words === undefined ? NOTHING : html`<p class="dim">${words}</p>`;
}

function domainsOf(title: string, { domains, users, examples }: DomainGroup): Markup {
  if (domains.length === 0) return NOTHING;
  const rows = domains.map(
    ({ domain, users: size, meant, why }) =>
      html`<tr><td class="number">${count(size)}</td><td>${domain}</td><td class="dim">${meant === undefined ? (why ?? '') : `${meant} was meant`}</td></tr>
`,
  );
  return html`<h2>${title}: ${usersWords(users)}</h2>
<div class="card scroll"><table><thead><tr><th class="number">Users</th><th>Domain</th><th></th></tr></thead><tbody>
${rows}</tbody></table></div>
<p class="examples">${examplesOf(examples)}</p>`;
}

function roleOf({ role }: ScanReport): Markup {
  if (role.users === 0) return NOTHING;
  return html`<h2>Role addresses: ${usersWords(role.users)}</h2>
<p class="card">${examplesOf(role.examples)}</p>`;
}

function examplesOf(examples: readonly WaveExample[]): Markup {
  const shown = examples.map(({ line, email, meant }, at) => {
    const more = meant === undefined ? NOTHING : html` → <code>${meant}</code>`;
    return html`${at === 0 ? '' : ', '}<code>${email}</code>${more} (line ${count(line)})`;
  });
  return html`${shown}`;
}

function usersWords(users: number): string {
  return `${count(users)} ${users === 1 ? 'user' : 'users'}`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
