/** Holds a page's place while its code arrives. */
import { Skeleton } from '@mantine/core';

export function PageSkeleton() {
  return (
    <div aria-busy>
      <Skeleton height={28} width={180} mb={24} />
      <Skeleton height={84} mb={16} radius={8} />
      <Skeleton height={320} radius={8} />
    </div>
  );
}
