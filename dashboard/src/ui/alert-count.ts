/** The number of alerts that are open, for the title of the tab. */
import { createContext } from 'react';

export const AlertCountContext = createContext(0);
