// node bin/health.mjs: ends with 0 where the program on HOST and PORT answers, else with 1. For images, which have no curl.
import { get } from 'node:http';

const { HOST = '0.0.0.0', PORT = '3000' } = process.env;
const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST] ?? HOST;

get({ host, port: PORT, path: '/healthz', timeout: 4_000 }, (response) => {
  response.resume();
  process.exitCode = response.statusCode === 200 ? 0 : 1;
})
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
