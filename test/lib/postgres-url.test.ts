import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { databaseParameters, readDatabaseUrl } from '../../src/lib/postgres-url.ts';

function read(url: string, options?: { unverified: boolean }) {
  const address = readDatabaseUrl(url, options);
  assert.ok(!('problem' in address), JSON.stringify(address));
  return address;
}

function faultOf(url: string): string {
  const fault = readDatabaseUrl(url);
  assert.ok('problem' in fault, url);
  return `${fault.problem}. ${fault.remedy}`;
}

/** As the pages of hosted databases print them, with made-up names. */
const handedOut = {
  Aiven: 'postgres://avnadmin:AVNS_x-y@pg-acme.a.aivencloud.com:13039/defaultdb?sslmode=require',
  'Azure Database':
    'postgres://ada%40acme:p@acme.postgres.database.azure.com:5432/switchboard?sslmode=require',
  'Cloud SQL': 'postgres://switchboard:p@/switchboard?host=/cloudsql/acme:europe-west1:main',
  DigitalOcean: 'postgresql://doadmin:AVNS_x@db-acme.db.ondigitalocean.com:25060/defaultdb?sslmode=require',
  'Fly.io': 'postgresql://fly-user:p@direct.acme.flympg.net/fly-db',
  Heroku: 'postgres://u1:p1@ec2-1-2-3-4.compute-1.amazonaws.com:5432/d1',
  Neon: 'postgresql://ada:npg_x@ep-cool-1.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
  'Neon without SNI': 'postgresql://ada:p@aws.neon.tech/neondb?sslmode=require&options=endpoint%3Dep-cool-1',
  PlanetScale:
    'postgresql://ada.b:p@eu.horizon.psdb.cloud:5432/postgres?sslmode=verify-full&sslrootcert=system&sslnegotiation=direct',
  'Prisma Postgres': 'postgres://ada:sk_x@db.prisma.io:5432/postgres?sslmode=require',
  Railway: 'postgresql://postgres:p@postgres.railway.internal:5432/railway',
  RDS: 'postgres://switchboard:p@acme.c1.eu-west-1.rds.amazonaws.com:5432/switchboard?sslmode=verify-full&sslrootcert=/certificates/global-bundle.pem',
  Render: 'postgresql://ada:p@dpg-x-a.frankfurt-postgres.render.com/switchboard?ssl=true',
  Supabase: 'postgresql://postgres.abc:p@aws-0-eu-west-1.pooler.supabase.com:5432/postgres',
  'Supabase by Vercel':
    'postgres://postgres.abc:p@aws-0-eu-west-1.pooler.supabase.com:5432/postgres?sslmode=require&supa=base-pooler.x',
  'Tiger Cloud': 'postgres://tsdbadmin:p@x.y.tsdb.cloud.timescale.com:30000/tsdb?sslmode=require',
  'Prisma’s form':
    'postgresql://ada:p@db.example:5432/app?schema=public&connection_limit=1&pool_timeout=20&pgbouncer=true&sslaccept=strict',
};

describe('a DATABASE_URL', () => {
  it('is read as hosted databases print it', () => {
    for (const [name, url] of Object.entries(handedOut)) {
      const { host, database, user, password } = read(url);
      assert.ok(host && database && user && password, name);
    }
    assert.equal(read(handedOut['Cloud SQL']).host, '/cloudsql/acme:europe-west1:main');
    assert.equal(read(handedOut['Azure Database']).user, 'ada@acme');
    assert.equal(read(handedOut['Neon without SNI']).options, 'endpoint=ep-cool-1');
    assert.deepEqual(read(handedOut.PlanetScale), {
      ...read('postgresql://ada.b:p@eu.horizon.psdb.cloud:5432/postgres?sslmode=verify-full'),
      startsWithTls: true,
    });
    assert.equal(read(handedOut.RDS).ca, '/certificates/global-bundle.pem');
  });

  it('has each parameter of the table accepted, accepted with a warning, or refused with what to do', () => {
    for (const { parameter, outcome, note } of databaseParameters) {
      const url = `postgres://u:p@db.example/s?${parameter.includes('=') ? parameter : `${parameter}=9`}`;
      if (outcome === 'refused') {
        assert.equal(faultOf(url), `has ${parameter} after its ?. ${note}`);
      } else {
        const warning = `DATABASE_URL has ${parameter} after its ?. ${note}`;
        assert.deepEqual(read(url).warnings, outcome === 'accepted' ? [] : [warning], parameter);
      }
    }
    assert.match(faultOf('postgres://u:p@db/s?sslmode=prefer'), /^has sslmode after its \?.*sslmode=require/);
    assert.match(faultOf('postgres://u:p@db/s?surprise=1'), /^has surprise after its \?.*Leave it out/);
  });

  it('is encrypted as it says', () => {
    const encryptionOf = (query: string) => read(`postgres://u:p@db/s${query}`).encryption;
    assert.deepEqual(
      ['', '?ssl=0', '?sslmode=disable', '?ssl=True', '?sslmode=verify-ca', '?sslaccept=strict'].map(
        encryptionOf,
      ),
      ['default', 'off', 'off', 'require', 'verify-ca', 'verify-full'],
    );
    assert.match(read('postgres://u:p@db/s?sslmode=require').warnings.join(), /verified as well/);
    assert.match(
      faultOf('postgres://u:p@db/s?sslmode=no-verify'),
      /DATABASE_CA.*DATABASE_CERTIFICATE=unverified/,
    );
    assert.equal(read('postgres://u:p@db/s?sslmode=no-verify', { unverified: true }).encryption, 'require');
    assert.match(faultOf('postgres://u:p@db/s?sslmode=prefer'), /without encryption/);
  });

  it('names the schema, the application and the address of the server as other programs do', () => {
    assert.equal(read('postgres://u:p@db/s?schema=acme').schema, 'acme');
    assert.equal(read('postgres://u:p@db/s?search_path=acme').schema, 'acme');
    assert.equal(read('postgres://u:p@db/s').applicationName, 'switchboard');
    assert.equal(read('postgres://u:p@db/s?application_name=sms').applicationName, 'sms');
    const ipv6 = read('postgres://u:p@[2001:db8::1]:6543/s');
    assert.deepEqual([ipv6.host, ipv6.port], ['2001:db8::1', 6543]);
    assert.equal(read('postgres://u:p@%2Fvar%2Frun%2Fpostgresql/s').host, '/var/run/postgresql');
    assert.equal(read('postgres:///s?host=/var/run/postgresql&user=ada&port=5433').user, 'ada');
  });

  it('says so where a character of the password must be percent-encoded, and never repeats it', () => {
    for (const password of [
      'a/b',
      'a?b',
      'a#b',
      '12/b',
      '12?b=c',
      '1@2/3',
      '1@h/d?x',
      '100%',
      'a%2',
      '%zz',
      '%ff',
    ]) {
      const fault = faultOf(`postgres://u:hush${password}@db.example/s`);
      assert.match(fault, /percent-encoded.*%25.*%40/, password);
      assert.doesNotMatch(fault, /hush/);
    }
    for (const password of ['p%2Fq', 'a%40b', 'a%23%3F', '%25', 'p w', 'p%2F w', 'a@b', 'a:b', 'a[b', 'ü']) {
      assert.equal(read(`postgres://u:${password}@db/s`).password, decodeURIComponent(password));
    }
  });

  it('is refused where it says one thing twice or contradicts itself, or has a port that is none', () => {
    assert.equal(
      faultOf('postgres://u:p@db/s?sslmode=verify-full&sslmode=disable'),
      'has sslmode more than once after its ?. Leave one of them out.',
    );
    assert.equal(read('postgres://u:p@db/s?sslmode=disable&sslmode=disable').encryption, 'off');
    for (const both of [
      'ssl=true&sslmode=disable',
      'sslmode=verify-full&ssl=false',
      'sslmode=disable&sslaccept=strict',
    ]) {
      assert.match(
        faultOf(`postgres://u:p@db/s?${both}`),
        /^has \w+ and \w+ after its \?, which contradict/,
        both,
      );
    }
    assert.equal(read('postgres://u:p@db/s?ssl=true&sslmode=verify-full').encryption, 'verify-full');
    for (const port of ['x', '54x2', '0', '65536', '123456']) {
      assert.match(faultOf(`postgres://u:p@db:${port}/s`), /^has a port that is not a number/, port);
      assert.match(faultOf(`postgres://u:p@db/s?port=${port}`), /^has a port that is not a number/, port);
    }
    assert.equal(read('postgres://u:p@[::1]/s').port, undefined);
    assert.equal(read('postgres://u:p@db:65535/s').port, 65_535);
  });

  it('is refused where it names several servers, none, or no database', () => {
    for (const hosts of ['a:5432,b:5432', 'a,b', 'u:p@a,b:1']) {
      assert.match(faultOf(`postgres://${hosts}/s`), /^names several hosts\. Name the primary server/);
    }
    assert.match(faultOf('postgres:///s?host=a,b'), /^names several hosts/);
    assert.match(faultOf('postgres:///s'), /^names no host/);
    assert.match(faultOf('postgres://db/'), /^names no database\. Set postgres:/);
    assert.match(faultOf('postgres://u:p@fd00::1/s'), /^names an IPv6 address without brackets/);
    assert.match(faultOf('postgres://[::/s'), /^is not an address/);
    assert.match(faultOf('mysql://db/s'), /^does not begin with postgres:/);
  });
});
