import type { z } from 'zod';
import type { settingsSchema } from './settings-schema.ts';

/** How the provider signs its delivery reports. */
export interface ReportSignature {
  /** The header with the signature, in small letters. */
  header: string;
  hash: 'sha512' | 'sha256';
  encoding: 'hex' | 'base64';
  /** What it is made with: the workspace’s API key, or a secret that an admin enters. */
  key: 'api_key' | 'secret';
}

/** Undefined where no reports are taken. */
export function readReportSignature(setting: z.infer<typeof settingsSchema>): ReportSignature | undefined {
  const header = setting.PROVIDER_REPORT_SIGNATURE_HEADER;
  return header === undefined
    ? undefined
    : {
        header: header.toLowerCase(),
        hash: setting.PROVIDER_REPORT_SIGNATURE_HASH,
        encoding: setting.PROVIDER_REPORT_SIGNATURE_ENCODING,
        key: setting.PROVIDER_REPORT_SIGNATURE_KEY,
      };
}
