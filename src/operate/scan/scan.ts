/** Wires the scan of a list of users: the intelligence of an installation or of the package, DNS if it is wished, nothing stored. */
import { createAddressHashes } from '../../address/fingerprint.ts';
import type { Config } from '../../config/config.ts';
import { createGather } from '../../evidence/gather.ts';
import { findWaves } from '../../waves/find-waves.ts';
import { openIntel } from '../../wiring/intel.ts';
import { openPastSources } from '../past-sources.ts';
import { createScanReading } from './scan-reading.ts';
import type { ScanRow } from './scan-row.ts';

/** Hashes never leave the process; under one key, the same list gives the same result. */
const KEY = Buffer.alloc(32);

export async function openScan(config: Config, { dns }: { readonly dns: boolean }) {
  const intel = await openIntel(config);
  const clock = Date.now;
  const { sources, notChecked, close } = openPastSources(config, { dns, clock });
  const gather = createGather({
    ...sources,
    intel: () => intel,
    ownLists: { find: () => null, findOffice: () => null },
  });
  return {
    findWaves: findWaves<ScanRow>,
    reading: createScanReading({ gather, hashes: createAddressHashes([KEY]), clock }),
    snapshot: intel.id,
    notChecked,
    close,
  };
}
