import { expect, it } from 'vitest';
import { isHumanName } from './human-name.ts';
import { nameShapeOf } from './name-shape.ts';

it.each(['anna.kowalska', 'jsmith', 'johnsonm', 'maria-garcia', 'emma1987', 'wangwei', 'priya.sharma+news'])(
  '%s has a name',
  (local) => {
    expect(isHumanName(nameShapeOf(local))).toBe(true);
  },
);

it.each(['x7k2q9w1zt', 'qzxvkjwp', '2512345', 'abc1234', '10b14', 'vbqmtr8841', ''])(
  '%s has none',
  (local) => {
    expect(isHumanName(nameShapeOf(local))).toBe(false);
  },
);
