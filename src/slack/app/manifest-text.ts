import { stringify } from 'yaml';
import { createManifest, type ManifestOptions } from './manifest.ts';

const heading =
  '# Written by `npm run manifest -- --prefix acme- --url https://switchboard.example.com --rotate`; all are optional.\n';

/** Returns the manifest as YAML. Apart from `createManifest`, as the program itself needs no YAML. */
export function manifestText(options: ManifestOptions): string {
  return heading + stringify(createManifest(options), { lineWidth: 0 });
}
