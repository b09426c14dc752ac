import { approvalColumns } from './approvals/approval-row.ts';
import { auditKeyColumn } from './audit/audit-register.ts';
import { campaignColumns } from './campaigns/encrypted-columns.ts';
import { reportTokenColumn } from './deliveries/report-address.ts';
import { phoneKeyColumn } from './encryption/phone-hashes.ts';
import { keyValueColumn } from './key-value/key-value-store.ts';
import { operationTextColumn } from './operations/operation-text.ts';
import { replyColumns } from './replies/reply-rows.ts';
import { suppressedNumberColumn, suppressionSourceColumn } from './suppression-list/suppression-rows.ts';

/** Every column with encrypted values. `keyv` holds the connections, drafts, codes and tokens. */
export const encryptedColumns = [
  keyValueColumn,
  phoneKeyColumn,
  suppressedNumberColumn,
  suppressionSourceColumn,
  operationTextColumn,
  auditKeyColumn,
  reportTokenColumn,
  ...campaignColumns,
  ...approvalColumns,
  ...replyColumns,
];
