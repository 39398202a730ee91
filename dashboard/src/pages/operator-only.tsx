/** What others see where only operators may look. */

import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';

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
