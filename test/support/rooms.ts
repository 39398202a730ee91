/** The rooms of the service's code: for the test of the layers, and for the map that names them. */

/** Rooms, from top to bottom: each may import those below it. */
export const ROOMS: readonly string[] = [
  'main',
  'cli',
  'operate',
  'wiring',
  'installation',
  'http',
  'signup',
  'takeback',
  'events',
  'alerts',
  'waves',
  'evidence',
  'intel',
  'accounts',
  'velocity',
  'store',
  'outbound',
  'address',
  'platform',
  'config',
  'contract',
  'model',
];
