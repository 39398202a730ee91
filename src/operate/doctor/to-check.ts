/** Makes a check of `gatehouse doctor` from what its parts found. */
import type { DoctorCheck } from '../../model/doctor-check.ts';

/** The advice is left out where the state is `ok`. */
export type DoctorVerdict = readonly [state: DoctorCheck['state'], found: string, advice?: string];

export function toCheck(name: string, [state, found, advice]: DoctorVerdict): DoctorCheck {
  return { name, state, found, advice: advice ?? null };
}

/** Verdict on a database that a newer version has updated. */
export function judgeNewer(schema: number, known: number): DoctorVerdict {
  return [
    'failed',
    `schema ${schema}, newer than this Gatehouse knows (${known})`,
    'install the version that updated it, or restore the backup from before the upgrade',
  ];
}
