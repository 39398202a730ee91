/** One assessment beside the history: j and k go on to the next row, Escape back to the history. */
import { ActionIcon } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import { useScope } from '../scope.ts';
import { Hint } from '../ui/hint.tsx';
import { IconArrowsDiagonal, IconChevronDown, IconChevronUp } from '../ui/icons.ts';
import { isTyping } from '../ui/is-typing.ts';
import { SidePanel } from '../ui/side-panel.tsx';
import { useNavigate } from '../ui/use-navigate.ts';
import { AssessmentView } from './assessment-view.tsx';

export interface AssessmentPanelProps {
  readonly requestId: string;
  /** The rows of the history, for the next and previous one. */
  readonly rows: readonly AssessmentRow[];
  readonly closed: string;
  hrefOf(requestId: string): string;
}

export function AssessmentPanel({ requestId, rows, closed, hrefOf }: AssessmentPanelProps) {
  const navigate = useNavigate();
  const { page } = useScope();
  const top = useRef<HTMLDivElement>(null);
  const at = rows.findIndex(({ request_id }) => request_id === requestId);
  const newer = at > 0 ? rows[at - 1] : undefined;
  const older = at >= 0 ? rows[at + 1] : undefined;
  const go = (row: AssessmentRow | undefined) => row && navigate(hrefOf(row.request_id), { replace: true });
  const keys = useRef({ j: () => go(older), k: () => go(newer) });
  keys.current = { j: () => go(older), k: () => go(newer) };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.key === 'j' || event.key === 'k') && !isTyping(event)) keys.current[event.key]();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another assessment starts at the top
  useEffect(() => {
    top.current?.scrollIntoView({ block: 'end' });
  }, [requestId]);

  return (
    <SidePanel
      title="Signup"
      label="Signup"
      onClose={() => navigate(closed)}
      actions={
        <>
          <Step label="Newer (k)" row={newer} onGo={go} icon={<IconChevronUp size={18} />} />
          <Step label="Older (j)" row={older} onGo={go} icon={<IconChevronDown size={18} />} />
          <Hint label="Open as a page">
            <ActionIcon
              component={Link}
              href={page(`assessments/${requestId}/full`)}
              variant="subtle"
              size="lg"
              aria-label="Open as a page"
            >
              <IconArrowsDiagonal size={18} />
            </ActionIcon>
          </Hint>
        </>
      }
    >
      <div ref={top} />
      <AssessmentView requestId={requestId} />
    </SidePanel>
  );
}

function Step({
  label,
  row,
  icon,
  onGo,
}: {
  label: string;
  row: AssessmentRow | undefined;
  icon: React.ReactNode;
  onGo: (row: AssessmentRow | undefined) => void;
}) {
  return (
    <Hint label={label}>
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={label}
        disabled={row === undefined}
        onClick={() => onGo(row)}
      >
        {icon}
      </ActionIcon>
    </Hint>
  );
}
