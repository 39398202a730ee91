/** What others see where only operators may look. */
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';

export function OperatorsOnly({ title }: { title: string }) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title="Only the operator sees this">
        It is about the whole installation. Find your own account in the navigation.
      </EmptyState>
    </>
  );
}
