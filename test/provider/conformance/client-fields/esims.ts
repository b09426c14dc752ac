import { type ClientFields, page } from './types.ts';

const envelope = { status: 'raw', code: 'raw', data: 'raw', message: 'message', timestamp: 'timestamp' };

const plan = {
  productId: 'productId',
  name: 'name',
  dataUsageAllowance: 'dataUsageAllowance',
  timeAllowance: 'timeAllowance',
  dataPlanType: 'dataPlanType',
};

const placedPlan = { ...plan, country: 'country', iso3: 'iso3', region: 'region' };

const sim = {
  id: 'id',
  iccid: 'iccid',
  productId: 'productId',
  imsi: 'imsi',
  state: 'state',
  lastOperationDate: 'lastOperationDate',
  activationCode: 'activationCode',
  smdp: 'smdp',
};

const purchasedSim = { ...sim, purchaseDate: 'purchaseDate' };

/** Fields that every record of the provider's database has. */
const bookkeeping = {
  id: 'id',
  uuid: 'uuid',
  active: 'active',
  version: 'version',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};

/** Maps fields under a path of the response to the same names under a path of the value. */
function at(answer: string, value: string, fields: Readonly<Record<string, string>>): Record<string, string> {
  const within = Object.entries(fields).map(([path, name]) => [`${answer}.${path}`, `${value}.${name}`]);
  return { [answer]: value, ...Object.fromEntries(within) };
}

const paging = { page: 'page', size: 'size' };

export const esims = {
  'esims.authenticate': { takes: {}, gives: { token: 'token' } },
  'esims.plans': {
    takes: { country: 'country', type: 'type', ...paging },
    gives: {
      ...envelope,
      ...page('data.', '', {
        ...plan,
        price: 'price',
        currency: 'currency',
        supportedCountries: 'supportedCountries',
        'supportedCountries[].country': 'supportedCountries[].country',
        'supportedCountries[].iso3': 'supportedCountries[].iso3',
      }),
    },
  },
  'esims.plansDeprecated': {
    takes: { country: 'country', region: 'region', ...paging },
    gives: page('', '', {
      ...bookkeeping,
      ...plan,
      country: 'country',
      countryIso3: 'countryIso3',
      region: 'region',
    }),
  },
  'esims.create': {
    takes: { productId: 'productId', iso3: 'iso3' },
    gives: { ...at('sim', 'sim', sim), ...at('dataPlan', 'dataPlan', placedPlan) },
  },
  'esims.purchase': {
    takes: { iccid: 'iccid', productId: 'productId', iso3: 'iso3' },
    gives: {
      ...envelope,
      ...at('data.sim', 'sim', purchasedSim),
      ...at('data.dataPlan', 'dataPlan', placedPlan),
    },
  },
  'esims.qrCode': { takes: { ICCID: 'iccid' }, gives: {} },
  'esims.profile': {
    takes: { ICCID: 'iccid' },
    gives: {
      iccid: 'iccid',
      imsi: 'imsi',
      state: 'state',
      last_operation_date: 'lastOperationDate',
      reuse_remaining_count: 'reuseRemainingCount',
      cc_required: 'ccRequired',
      release_date: 'releaseDate',
      activationCode: 'activationCode',
      smdp: 'smdp',
    },
  },
  'esims.usage': {
    takes: { ICCID: 'iccid' },
    gives: { data_total_gigabyte: 'dataTotalGigabyte', data_used_gigabyte: 'dataUsedGigabyte' },
  },
  'esims.planStatus': {
    takes: { ICCID: 'iccid' },
    gives: {
      ...envelope,
      'data.productId': 'productId',
      'data.iccid': 'iccid',
      'data.createdDate': 'createdDate',
      'data.activatedDate': 'activatedDate',
      'data.expiryDate': 'expiryDate',
      'data.windowActivationEndDate': 'windowActivationEndDate',
      'data.Status': 'status',
      'data.dataPlan': 'dataPlan',
    },
  },
  'esims.list': { takes: paging, gives: page('', '', purchasedSim) },
  'esims.countries': {
    takes: paging,
    gives: {
      ...envelope,
      ...page('data.', '', { ...bookkeeping, name: 'name', iso2: 'iso2', iso3: 'iso3', region: 'region' }),
    },
  },
} as const satisfies Readonly<Record<string, ClientFields>>;
