/** Starts the dashboard in the browser. */
import './ui/theme.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api.ts';
import { App } from './frame/app.tsx';
import { LeaveGuard } from './ui/leave-guard.tsx';
import { theme, variables } from './ui/theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <QueryClientProvider client={createQueryClient()}>
        <LeaveGuard>
          <App />
        </LeaveGuard>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
