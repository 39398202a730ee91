/** The icons of the pages: those of Tabler Icons that are used, drawn from their outlines in icons.json. */
import { createElement, type SVGProps } from 'react';
import outlines from './icons.json' with { type: 'json' };

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Pixels; default 24. */
  readonly size?: number;
  /** Width of the lines, where the icon is 24 wide; default 2. A filled icon has none. */
  readonly stroke?: number;
}

const GRID = { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 24 24' };
const ROUND = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

function outline(paths: readonly string[]) {
  return ({ size = 24, stroke = 2, color = 'currentColor', ...rest }: IconProps) =>
    draw(paths, {
      ...ROUND,
      fill: 'none',
      stroke: color,
      strokeWidth: stroke,
      width: size,
      height: size,
      ...rest,
    });
}

function filled(paths: readonly string[]) {
  return ({ size = 24, stroke: _stroke, color = 'currentColor', ...rest }: IconProps) =>
    draw(paths, { fill: color, stroke: 'none', width: size, height: size, ...rest });
}

function draw(paths: readonly string[], attributes: SVGProps<SVGSVGElement>) {
  return createElement(
    'svg',
    { ...GRID, ...attributes },
    paths.map((d) => createElement('path', { key: d, d })),
  );
}

export const IconActivity = outline(outlines.IconActivity);
export const IconAdjustmentsHorizontal = outline(outlines.IconAdjustmentsHorizontal);
export const IconAlertCircle = outline(outlines.IconAlertCircle);
export const IconAlertTriangle = outline(outlines.IconAlertTriangle);
export const IconArrowLeft = outline(outlines.IconArrowLeft);
export const IconArrowRight = outline(outlines.IconArrowRight);
export const IconArrowUp = outline(outlines.IconArrowUp);
export const IconArrowsDiagonal = outline(outlines.IconArrowsDiagonal);
export const IconBell = outline(outlines.IconBell);
export const IconBook = outline(outlines.IconBook);
export const IconBuilding = outline(outlines.IconBuilding);
export const IconCheck = outline(outlines.IconCheck);
export const IconChevronDown = outline(outlines.IconChevronDown);
export const IconChevronUp = outline(outlines.IconChevronUp);
export const IconCircle = outline(outlines.IconCircle);
export const IconCircleCheck = outline(outlines.IconCircleCheck);
export const IconCircleCheckFilled = filled(outlines.IconCircleCheckFilled);
export const IconCircleDashed = outline(outlines.IconCircleDashed);
export const IconCircleOff = outline(outlines.IconCircleOff);
export const IconClockExclamation = outline(outlines.IconClockExclamation);
export const IconCloudOff = outline(outlines.IconCloudOff);
export const IconCopy = outline(outlines.IconCopy);
export const IconDatabase = outline(outlines.IconDatabase);
export const IconDeviceDesktop = outline(outlines.IconDeviceDesktop);
export const IconDots = outline(outlines.IconDots);
export const IconDownload = outline(outlines.IconDownload);
export const IconEye = outline(outlines.IconEye);
export const IconFilter = outline(outlines.IconFilter);
export const IconFlask = outline(outlines.IconFlask);
export const IconGauge = outline(outlines.IconGauge);
export const IconHistory = outline(outlines.IconHistory);
export const IconKey = outline(outlines.IconKey);
export const IconKeyboard = outline(outlines.IconKeyboard);
export const IconLayoutDashboard = outline(outlines.IconLayoutDashboard);
export const IconLayoutSidebarLeftCollapse = outline(outlines.IconLayoutSidebarLeftCollapse);
export const IconLayoutSidebarLeftExpand = outline(outlines.IconLayoutSidebarLeftExpand);
export const IconListCheck = outline(outlines.IconListCheck);
export const IconLogout = outline(outlines.IconLogout);
export const IconMail = outline(outlines.IconMail);
export const IconMenu2 = outline(outlines.IconMenu2);
export const IconMessageReport = outline(outlines.IconMessageReport);
export const IconMinus = outline(outlines.IconMinus);
export const IconMoon = outline(outlines.IconMoon);
export const IconOctagonMinus = outline(outlines.IconOctagonMinus);
export const IconPackage = outline(outlines.IconPackage);
export const IconPencil = outline(outlines.IconPencil);
export const IconPlayerPause = outline(outlines.IconPlayerPause);
export const IconPlayerPlay = outline(outlines.IconPlayerPlay);
export const IconPlus = outline(outlines.IconPlus);
export const IconRefresh = outline(outlines.IconRefresh);
export const IconRipple = outline(outlines.IconRipple);
export const IconSearch = outline(outlines.IconSearch);
export const IconSend = outline(outlines.IconSend);
export const IconSettings = outline(outlines.IconSettings);
export const IconShieldLock = outline(outlines.IconShieldLock);
export const IconStar = outline(outlines.IconStar);
export const IconSun = outline(outlines.IconSun);
export const IconTrash = outline(outlines.IconTrash);
export const IconUserCircle = outline(outlines.IconUserCircle);
export const IconUserPlus = outline(outlines.IconUserPlus);
export const IconUsers = outline(outlines.IconUsers);
export const IconVolumeOff = outline(outlines.IconVolumeOff);
export const IconWebhook = outline(outlines.IconWebhook);
export const IconX = outline(outlines.IconX);
