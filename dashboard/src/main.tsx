/** Starts the dashboard in the browser. */
import './ui/theme.css';
import './frame/shell.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api.ts';
import { App } from './frame/app.tsx';
import { watchLoadFailures } from './frame/load-failures.ts';
import { LeaveGuard } from './ui/leave-guard.tsx';
import { PastedAddressProvider } from './ui/pasted-address.tsx';
import { theme, variables } from './ui/theme.ts';
import { UndoToasts } from './ui/undo-toast.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
watchLoadFailures();
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <QueryClientProvider client={createQueryClient()}>
        <LeaveGuard>
          <PastedAddressProvider>
            <UndoToasts>
              <App />
            </UndoToasts>
          </PastedAddressProvider>
        </LeaveGuard>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
