/** The icons of the navigation, by the name that a row of pages.json gives. */

import type { ComponentType } from 'react';
import {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconBuilding,
  IconDatabase,
  IconEye,
  IconFlask,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconMessageReport,
  IconShieldLock,
  IconUsers,
  IconWebhook,
} from '../ui/icons.ts';

export const PAGE_ICONS: Readonly<Record<string, ComponentType<{ size?: number; stroke?: number }>>> = {
  IconActivity,
  IconAdjustmentsHorizontal,
  IconBuilding,
  IconDatabase,
  IconEye,
  IconFlask,
  IconGauge,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconMessageReport,
  IconShieldLock,
  IconUsers,
  IconWebhook,
};
