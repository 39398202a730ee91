/** Gives all parts of a page the clock of the account that it belongs to. */
import { createContext, useContext } from 'react';
import { UTC } from '../../../src/model/time-zone.ts';
import { LOCALE } from './format.ts';
import { createTimes, type Times } from './times.ts';

export const TimesContext = createContext<Times>(createTimes(LOCALE, UTC));

export function useTimes(): Times {
  return useContext(TimesContext);
}
