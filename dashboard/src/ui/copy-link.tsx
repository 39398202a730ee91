/** Copies the address of a page, to send it to a colleague. */
import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from './icons.ts';
import { useCopy } from './use-copy.ts';

/** @param href from the root */
export function CopyLink({ href }: { href: string }) {
  const { copied, copy } = useCopy();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<Icon size={14} />}
      onClick={() => copy(`${location.origin}${href}`)}
    >
      {copied ? 'Copied' : 'Copy a link for colleagues'}
    </Button>
  );
}
