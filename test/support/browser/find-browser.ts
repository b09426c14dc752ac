import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where browsers are that Playwright drives, by the system. */
const installed: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['Google Chrome', 'Microsoft Edge', 'Chromium'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const folder = process.env[name];
    return folder === undefined
      ? []
      : [
          join(folder, 'Google/Chrome/Application/chrome.exe'),
          join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ];
  }),
  linux: ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`),
};

/**
 * Returns the browser that the tests use: `packaged`, the one of the npm package, which is for Linux on x64, or else the path of
 * the system's. Undefined where there is none.
 */
export function findBrowser(): 'packaged' | { path: string } | undefined {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return 'packaged';
  }
  const path = installed[process.platform]?.find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : { path };
}
