/** Decides how numbers, instants, durations, countries and words are written on all pages. */

const GROUPED = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const MONEY = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const LOCAL = new Intl.DateTimeFormat('en', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const CLOCK_PARTS = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
const CLOCK = new Intl.DateTimeFormat('en', CLOCK_PARTS);
const CLOCK_OF_YEAR = new Intl.DateTimeFormat('en', { ...CLOCK_PARTS, year: 'numeric' });
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `12,345` */
export function grouped(value: number): string {
  return GROUPED.format(value);
}

/** `1 signup`, `12,345 signups` */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(count)} ${count === 1 ? singular : plural}`;
}

/** `12.3K`, for axes and narrow columns. */
export function short(value: number): string {
  return SHORT.format(value);
}

/** `$12.30` */
export function money(value: number): string {
  return MONEY.format(value);
}

/** A share of a whole: `12%`, `0.4%`, `< 0.1%`; never more digits than are meaningful. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '0%';
  const share = (100 * part) / whole;
  if (part > 0 && share < 0.1) return '< 0.1%';
  if (part < whole && share > 99.9) return '> 99.9%';
  return `${share < 10 ? Number(share.toFixed(1)) : Math.round(share)}%`;
}

/** `4 ms`, `1.2 s` */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ms`;
}

/** `2026-11-21 17:42:16.123 UTC` */
export function exactUtc(at: string): string {
  return `${new Date(at).toISOString().replace('T', ' ').replace('.000Z', 'Z').replace('Z', '')} UTC`;
}

/** The instant in the reader's own time zone. */
export function local(at: string): string {
  return LOCAL.format(new Date(at));
}

/** `Nov 19, 04:12` in the reader's own time zone, with the year if it is another one. */
export function shortTime(at: string, now: number): string {
  const date = new Date(at);
  return (date.getFullYear() === new Date(now).getFullYear() ? CLOCK : CLOCK_OF_YEAR).format(date);
}

/** `just now`, `5 min ago`, `3 h ago`, `in 2 days`, and the date when it is more than 30 days away. */
export function relative(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1000);
  const length = Math.abs(seconds);
  if (length > 30 * DAY) return at.slice(0, 10);
  if (length < 10) return 'just now';
  return seconds > 0 ? `${duration(length)} ago` : `in ${duration(length).replace(/ d$/, ' days')}`;
}

/** `45 s`, `5 min`, `3 h`, `2 d`: the largest unit alone. */
export function duration(seconds: number): string {
  if (seconds < MINUTE) return `${Math.round(seconds)} s`;
  if (seconds < HOUR) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < 2 * DAY) return `${Math.round(seconds / HOUR)} h`;
  return `${Math.round(seconds / DAY)} d`;
}

/** `Germany`; the code itself if the browser knows no name. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
