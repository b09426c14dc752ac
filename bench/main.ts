import { parseArgs } from 'node:util';
import { measureAcknowledgements } from './ack.ts';
import { measureAudiences } from './audiences.ts';
import { measureClient } from './client.ts';
import { measureDistance } from './distance.ts';
import { measureDndChecks } from './dnd.ts';
import { measureFiles } from './files.ts';
import { measureIdleWorkspaces } from './idle.ts';
import { measureInstances } from './instances.ts';
import { measureManyCampaigns } from './many-campaigns.ts';
import { measureMillion } from './million.ts';
import { measureNewConnections } from './new-connections.ts';
import { measureCampaignRates } from './rates.ts';
import { measureReports } from './reports.ts';
import { measureStart } from './start.ts';
import { measureSteering } from './steering.ts';
import { endDatabases } from './support/databases.ts';
import type { Measure } from './support/measurement.ts';
import type { Row } from './support/rows.ts';
import { tableOf } from './support/table.ts';

/**
 * `npm run bench` measures everything and prints one table, of SQLite and of PostgreSQL: each row beside its rival in the
 * same run. `npm run bench -- ack client` measures only these; `--profile <folder>` writes CPU profiles.
 */
const measurements: Readonly<Record<string, Measure>> = {
  ack: measureAcknowledgements,
  'new-connections': measureNewConnections,
  start: measureStart,
  client: measureClient,
  dnd: measureDndChecks,
  rates: measureCampaignRates,
  distance: measureDistance,
  instances: measureInstances,
  million: measureMillion,
  audiences: measureAudiences,
  steering: measureSteering,
  files: measureFiles,
  'many-campaigns': measureManyCampaigns,
  idle: measureIdleWorkspaces,
  reports: measureReports,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'string' } },
});
const unknown = positionals.filter((name) => measurements[name] === undefined);
if (unknown.length > 0) {
  throw new Error(`There is no ${unknown.join(', ')}; there are: ${Object.keys(measurements).join(', ')}.`);
}

const rows: Row[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (positionals.length === 0 || positionals.includes(name)) {
    console.error(`\n${name}`);
    rows.push(...(await measure(values)));
  }
}
await endDatabases();
console.log(tableOf(rows));
