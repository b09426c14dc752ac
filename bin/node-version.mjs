// Ends with what to do on a Node that cannot run the program. Written for those: loaded before everything else.
const { node } = process.versions;
if (Number(node.split('.', 1)[0]) < 24) {
  console.error(`Switchboard needs Node 24, and this is Node ${node}.
npm ci installs Node 24 with the other packages, unless install scripts are off (--ignore-scripts, or ignore-scripts=true in
an .npmrc). Run npm ci --ignore-scripts=false, or install Node 24 on this machine.`);
  process.exit(1);
}
