import { expect, it } from 'vitest';
import { type ZoneChoice, type ZoneGroup, zoneChoices } from './settings-zone-choices.ts';

const groupsOf = (choices: readonly (ZoneChoice | ZoneGroup)[]) =>
  choices.flatMap((choice) => ('group' in choice ? [choice] : []));

it('offers UTC, then every zone once, by its city', () => {
  const choices = zoneChoices('Asia/Kolkata');
  expect(choices[0]).toEqual({ value: 'UTC', label: 'UTC' });
  const groups = groupsOf(choices);
  const inGroup = (name: string) => groups.find(({ group }) => group === name)?.items;
  expect(inGroup('Asia')).toContainEqual({ value: 'Asia/Kolkata', label: 'Kolkata' });
  expect(inGroup('America')).toContainEqual({
    value: 'America/Argentina/Buenos_Aires',
    label: 'Buenos Aires, Argentina',
  });
  const values = groups.flatMap(({ items }) => items.map(({ value }) => value));
  expect(new Set(values).size).toBe(values.length);
  expect(values.length).toBeGreaterThan(400);
});

it('offers the current zone also where the browser knows it by no name', () => {
  expect(zoneChoices('EST5EDT').slice(0, 2)).toEqual([
    { value: 'UTC', label: 'UTC' },
    { value: 'EST5EDT', label: 'EST5EDT' },
  ]);
});
