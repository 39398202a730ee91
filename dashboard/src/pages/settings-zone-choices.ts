/** The choices of a time zone: regions, and in each its cities by name, so that typing a city finds it. */
import { parseTimeZone, UTC } from '../../../src/model/time-zone.ts';

export interface ZoneChoice {
  readonly value: string;
  readonly label: string;
}

export interface ZoneGroup {
  readonly group: string;
  readonly items: ZoneChoice[];
}

/** Today's names of zones that browsers list by an older one. */
const RENAMED = [
  'America/Argentina/Buenos_Aires',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Europe/Kyiv',
];

/** All zones that the browser knows; it may know another name for the current zone. */
export function zoneChoices(current: string): readonly (ZoneChoice | ZoneGroup)[] {
  const names = new Set([
    current,
    ...Intl.supportedValuesOf('timeZone'),
    ...RENAMED.filter((name) => parseTimeZone(name)),
  ]);
  const regions = new Map<string, ZoneChoice[]>();
  for (const value of names) {
    const [region = '', ...places] = value.replaceAll('_', ' ').split('/');
    if (places.length === 0) continue;
    const cities = regions.get(region) ?? [];
    cities.push({ value, label: places.reverse().join(', ') });
    regions.set(region, cities);
  }
  const groups = [...regions].sort(([a], [b]) => a.localeCompare(b, 'en'));
  return [
    ...[...new Set([UTC, current])]
      .filter((name) => !name.includes('/'))
      .map((value) => ({ value, label: value })),
    ...groups.map(([group, items]) => ({
      group,
      items: items.sort((a, b) => a.label.localeCompare(b.label, 'en')),
    })),
  ];
}
