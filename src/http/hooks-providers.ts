/** All auth providers whose hooks Gatehouse answers. */
import type { HookProvider } from '../model/hook.ts';
import { entra } from './hooks-entra.ts';
import { fusionauth } from './hooks-fusionauth.ts';
import { kratos } from './hooks-kratos.ts';
import { neon } from './hooks-neon.ts';
import { okta } from './hooks-okta.ts';
import type { HookProviderContract } from './hooks-provider.ts';
import { supabase } from './hooks-supabase.ts';
import { workos } from './hooks-workos.ts';
import { zitadel } from './hooks-zitadel.ts';

export const HOOK_CONTRACTS: Readonly<Record<HookProvider, HookProviderContract>> = {
  supabase,
  kratos,
  workos,
  okta,
  entra,
  neon,
  zitadel,
  fusionauth,
};
