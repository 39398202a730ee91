/** One assessment as a page of its own. */
import { Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { useScope } from '../scope.ts';
import { IconArrowLeft } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { AssessmentView } from './assessment-view.tsx';

export function AssessmentPage() {
  const { request_id: requestId = '' } = useParams();
  const { page } = useScope();
  return (
    <>
      <PageHeader
        title="Signup"
        actions={
          <>
            <Button variant="default" size="xs" onClick={() => window.print()}>
              Print
            </Button>
            <Button
              component={Link}
              href={page(`assessments/${requestId}`)}
              variant="default"
              size="xs"
              leftSection={<IconArrowLeft size={14} />}
            >
              Show in Signups
            </Button>
          </>
        }
      />
      <AssessmentView key={requestId} requestId={requestId} wide />
    </>
  );
}
