/** Thresholds: what the current ones decide, what others would have decided, and saving them. */
import { Button, Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { PolicyPage, SimulationBaseline } from '../../../src/contract/dashboard-account.ts';
import { useGet } from '../api.ts';
import { useScope, useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ChangedSignups } from './thresholds-changed-signups.tsx';
import { type Draft, useDraft } from './thresholds-draft.ts';
import { KeyPicker } from './thresholds-key-picker.tsx';
import { recount } from './thresholds-recount.ts';
import { useSimulation } from './thresholds-simulation.ts';
import { SimulatorCard } from './thresholds-simulator-card.tsx';
import { UnsavedDraft } from './thresholds-unsaved-draft.tsx';
import { VersionsCard } from './thresholds-versions-card.tsx';
import { WeightsCard } from './thresholds-weights-card.tsx';

const WeightsDock = later(async () => (await import('./thresholds-weights-dock.tsx')).WeightsDock);
const SavePolicy = later(async () => (await import('./thresholds-save-weights.tsx')).SavePolicy);

export function ThresholdsPage() {
  const { api, mode } = useScope();
  const { data: policy, error, refetch } = useGet<PolicyPage>(api('policy'));
  const keyId = useSearchParams()[0].get('key') ?? undefined;
  return (
    <>
      <PageHeader
        title="Thresholds"
        actions={policy && mode === 'live' && <KeyPicker keys={policy.keys} mode={mode} value={keyId} />}
      >
        Which scores are challenged or blocked. Try a change on past signups before you save it.
      </PageHeader>
      {policy !== undefined ? (
        <Workbench policy={policy} keyId={keyId} />
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Card>
          <Skeleton height={420} />
        </Card>
      )}
    </>
  );
}

function Workbench({ policy, keyId }: { policy: PolicyPage; keyId: string | undefined }) {
  const { mode, canManage } = useScope();
  const draft = useDraft(policy, keyId);
  useRecount(policy.version);
  const [saving, setSaving] = useState(false);
  const parts = { policy, draft };
  const below = (
    <>
      <WeightsCard {...parts} />
      <VersionsCard {...parts} />
      <UnsavedDraft draft={draft} />
      {saving && <SavePolicy {...parts} onClose={() => setSaving(false)} />}
    </>
  );
  if (mode === 'test')
    return (
      <>
        <SandboxNote />
        {below}
      </>
    );
  return (
    <Simulator {...parts} onSave={canManage ? () => setSaving(true) : undefined}>
      {below}
    </Simulator>
  );
}

/** Counts again once the saved settings are others: somebody else may have changed them. */
function useRecount(version: string): void {
  const { api } = useScope();
  const client = useQueryClient();
  const counted = useRef(version);
  const path = api('simulate');
  useEffect(() => {
    if (counted.current === version) return;
    counted.current = version;
    void client.invalidateQueries({ queryKey: [path] });
  }, [client, path, version]);
}

interface SimulatorProps {
  readonly policy: PolicyPage;
  readonly draft: Draft;
  readonly onSave: (() => void) | undefined;
  readonly children: ReactNode;
}

function Simulator({ policy, draft, onSave, children }: SimulatorProps) {
  const { mode, period } = useScope();
  const [baseline, setBaseline] = useBaseline();
  const [observed, setObserved] = useObserved();
  const { apiKey, thresholds, weights } = draft;
  const state = useSimulation({
    mode,
    period,
    thresholds,
    ...(apiKey === undefined ? {} : { key: apiKey.id }),
    ...(draft.reweighed ? { weights } : {}),
    ...(baseline === 'answered' ? { baseline } : {}),
    ...(observed ? { observed } : {}),
  });
  const { simulation } = state;
  const { challenge, block } = thresholds;
  const counted = useMemo(
    () => simulation && recount(simulation, { challenge, block }),
    [simulation, challenge, block],
  );
  return (
    <>
      <SimulatorCard
        policy={policy}
        draft={draft}
        state={state}
        counted={counted}
        baseline={baseline}
        setBaseline={setBaseline}
        observed={observed}
        setObserved={setObserved}
      />
      {state.error === null && (
        <ChangedSignups simulation={simulation} counted={counted} waiting={state.resampling} />
      )}
      {children}
      {draft.reweighed && <WeightsDock draft={draft} state={state} counted={counted} onSave={onSave} />}
    </>
  );
}

/** Baseline, kept in the URL so that a link shows the same comparison. */
function useBaseline(): [SimulationBaseline, (baseline: SimulationBaseline) => void] {
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  return [
    search.get('compare') === 'answered' ? 'answered' : 'current',
    (baseline) => setQuery({ compare: baseline === 'answered' ? baseline : undefined }),
  ];
}

/** Whether keys in shadow mode count, kept in the URL for the same reason. */
function useObserved(): [boolean, (observed: boolean) => void] {
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  return [search.has('observed'), (observed) => setQuery({ observed: observed ? 'yes' : undefined })];
}

function SandboxNote() {
  const setQuery = useSetQuery();
  return (
    <Card>
      <EmptyState
        title="The sandbox has nothing to simulate"
        action={
          <Button variant="default" onClick={() => setQuery({ mode: undefined })}>
            Look at live traffic
          </Button>
        }
      >
        Its answers are canned, chosen by the email address. Thresholds and weights do not change them.
      </EmptyState>
    </Card>
  );
}
