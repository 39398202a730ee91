/** Sets until when a key works, and from which addresses. */
import { Textarea, TextInput } from '@mantine/core';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import type { Times } from '../ui/times.ts';
import { useForm } from '../ui/use-form.ts';
import { useTimes } from '../ui/use-times.ts';

const DAY_MS = 86_400_000;

interface Body {
  readonly expires_at?: string | null;
  readonly allowed_ranges: readonly string[] | null;
}

export function EditAccess({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const times = useTimes();
  const change = useSend<unknown, Body>('PATCH', api(`keys/${apiKey.id}`), {
    refreshes: [api('keys'), api('policy')],
    version: apiKey.version,
  });
  const lastDay = lastDayOf(apiKey.expires_at, times);
  const form = useForm({
    values: { lastDay, ranges: apiKey.allowed_ranges?.join('\n') ?? '' },
    change,
    body: (values): Body => ({
      // An expiry that was not touched keeps its time of day.
      ...(values.lastDay === lastDay ? {} : { expires_at: endOf(values.lastDay, times) }),
      allowed_ranges: linesOf(values.ranges),
    }),
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog form={form} title={`Expiry and callers of “${apiKey.name}”`} verb="Save">
      <TextInput
        type="date"
        label="Last day (optional)"
        description={`The key works until the end of this day (${times.zone}). Empty: it does not expire.`}
        data-autofocus
        value={form.values.lastDay}
        error={form.errorOf('expires_at')}
        onChange={(event) => form.set({ lastDay: event.currentTarget.value })}
      />
      <Textarea
        label="Allowed callers (optional)"
        description="IPs and IP ranges of your servers, one per line. Everybody else is refused with 403. Empty: the key works from anywhere."
        placeholder={'203.0.113.7\n198.51.100.0/24'}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        {...form.text('ranges')}
        error={form.errorOf('allowed_ranges')}
      />
    </FormDialog>
  );
}

/** `2026-12-31`; empty without an expiry. */
function lastDayOf(expiresAt: string | null, { wallClock }: Times): string {
  if (expiresAt === null) return '';
  return new Date(wallClock.wallOf(Date.parse(expiresAt) - 1)).toISOString().slice(0, 10);
}

function endOf(day: string, { wallClock }: Times): string | null {
  return day === '' ? null : new Date(wallClock.instantOf(Date.parse(day) + DAY_MS)).toISOString();
}

function linesOf(text: string): readonly string[] | null {
  const lines = text.split(/[\s,]+/).filter((line) => line !== '');
  return lines.length === 0 ? null : lines;
}
