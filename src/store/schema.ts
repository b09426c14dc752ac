import type { WorkspaceRoleTables } from './access/workspace-roles.ts';
import type { ApprovalTables } from './approvals/approvals.ts';
import type { AuditTables } from './audit/audit-tables.ts';
import type { BalanceAlertTables } from './balance-alerts/balance-alerts.ts';
import type { CampaignTables } from './campaigns/campaign-tables.ts';
import type { CostTables } from './costs/cost-tables.ts';
import type { DeliveryTables } from './deliveries/delivery-rows.ts';
import type { ReportAddressTables } from './deliveries/report-address.ts';
import type { EncryptionKeyTables } from './encryption/key-check.ts';
import type { PhoneHashTables } from './encryption/phone-hashes.ts';
import type { InstallationTables } from './installation/installation.ts';
import type { InstanceMarkTables } from './installation/instance-marks.ts';
import type { InstanceTables } from './instances/instances.ts';
import type { JobTables } from './jobs/job-rows.ts';
import type { KeyValueTables } from './key-value/key-value-store.ts';
import type { LimitTables } from './limits/limit-tables.ts';
import type { OperationTables } from './operations/operation-row.ts';
import type { OutboxTables } from './outbox/notice-rows.ts';
import type { ReplyTables } from './replies/reply-rows.ts';
import type { SlackInstallationTables } from './slack-installations/slack-installations.ts';
import type { SuppressionTables } from './suppression-list/suppression-rows.ts';

/** All tables of the database, each declared by the room that it belongs to. */
export interface Schema
  extends ApprovalTables,
    AuditTables,
    BalanceAlertTables,
    CampaignTables,
    CostTables,
    DeliveryTables,
    EncryptionKeyTables,
    InstallationTables,
    InstanceMarkTables,
    InstanceTables,
    JobTables,
    KeyValueTables,
    LimitTables,
    OperationTables,
    OutboxTables,
    PhoneHashTables,
    ReplyTables,
    ReportAddressTables,
    SlackInstallationTables,
    SuppressionTables,
    WorkspaceRoleTables {}
