/** Says whom a shared office covers, and what it would have changed for those who were stopped. */
import type { OfficePreview } from '../../../src/contract/dashboard-account.ts';
import { grouped, pluralize } from '../ui/format.ts';

export function OfficeEffect({ office, value }: { office: OfficePreview; value: string }) {
  const { people, judged, after, let_in: labels } = office;
  if (people === 0) return null;
  return (
    <>
      <p>
        <strong>
          {people === 1 ? 'One person has' : `These ${grouped(people)} people share`} {value}.
        </strong>{' '}
        {judged === 0
          ? 'None of them was stopped.'
          : `Of ${pluralize(judged, 'stopped signup')}, ${grouped(after.allow)} would have been allowed; ${stillStopped(after)}.`}
      </p>
      {judged > 0 && (
        <p>
          Of these, people reported {grouped(labels.good)} as good customers and {grouped(labels.fraud)} as
          fraud.
        </p>
      )}
    </>
  );
}

function stillStopped({ challenge, block }: OfficePreview['after']): string {
  return `${grouped(challenge)} would still be challenged and ${grouped(block)} blocked`;
}
