// The import rules of docs/architecture.md. `bun run verify` checks them; tools/verify/imports.test.ts breaks each to see it caught.
const test = '\\.test\\.ts$'
const testOnly = '(\\.test\\.ts|/testing\\.ts|/testing/.+\\.ts)$'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-service-imports-another',
      comment: 'Services speak over Kafka. What two of them need lies in kit (no domain) or proto (the vocabulary).',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: '^services/kit/' },
      to: { path: '^services/', pathNot: '^services/(kit|$1)/' },
    },
    {
      name: 'kit-imports-no-service',
      comment: 'kit is below all services.',
      severity: 'error',
      from: { path: '^services/kit/' },
      to: { path: '^(services/(?!kit/)|tests/|tools/)' },
    },
    {
      name: 'proto-imports-nothing-of-ours',
      comment: 'proto is the lowest of all.',
      severity: 'error',
      from: { path: '^proto/' },
      to: { path: '^(services|tests|tools)/' },
    },
    {
      name: 'clients-import-clients-alone',
      comment: 'clients/ is what strangers install: it depends on the HTTP contract alone.',
      severity: 'error',
      from: { path: '^clients/' },
      to: { path: '^(proto|services|tests|tools)/' },
    },
    {
      name: 'tests-import-no-service',
      comment: 'tests/ speaks over the wire only, as a client does. The samples of the reference are texts that it runs.',
      severity: 'error',
      from: { path: '^tests/' },
      to: { path: '^services/(?!kit/|gateway/src/docs/samples/)' },
    },
    {
      name: 'only-faults-and-load-stop-what-others-use',
      comment: 'Files of the other folders run beside each other on one stack: what one of them stops fails another.',
      severity: 'error',
      from: { path: '^tests/', pathNot: '^tests/(faults|load|soak|bench|providers|console|api|clients|support)/' },
      to: { path: '^tests/support/stack\\.ts$' },
    },
    {
      name: 'tools-import-no-service',
      comment: 'tools/ starts services as processes and speaks to them over the wire.',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^(services/(?!kit/)|tests/)' },
    },
    {
      name: 'nobody-imports-main',
      comment: 'main.ts makes things and is where a process begins; nothing stands above it.',
      severity: 'error',
      from: { path: '^services/', pathNot: test },
      to: { path: '^services/(?!kit/)[^/]+/src/(main|migrate)\\.ts$' },
    },
    {
      name: 'no-folder-imports-app',
      comment: 'app.ts joins what main.ts makes; a noun folder that imports it reaches upwards.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/[^/]+/', pathNot: testOnly },
      to: { path: '^services/[^/]+/src/app\\.ts$' },
    },
    {
      name: 'config-imports-only-kit-config',
      comment: 'config.ts, and the table of providers that it reads by, take the readers of kit and know nothing else.',
      severity: 'error',
      from: { path: '^services/[^/]+/src/(config|providers/outside-providers)\\.ts$', pathNot: '^services/kit/' },
      to: {
        path: '.',
        pathNot: [
          '^services/kit/src/(environment/(variables|secrets|service-environment|operator-environment|release|store-environment)|safe-fetch/(endpoint|range))\\.ts$',
          '^services/dispatcher/src/providers/outside-providers\\.ts$',
          '^services/(console|gateway)/src/[^/]+/variables\\.ts$',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'no-testing-in-production',
      comment: 'What only tests need stays out of what is shipped.',
      severity: 'error',
      from: { path: '^services/', pathNot: testOnly },
      to: { path: testOnly },
    },
    {
      name: 'no-circle',
      comment: 'Two files that need each other are one file, or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-undeclared-package',
      comment: 'A package a file imports stands in the package.json beside it, so that an image holds it.',
      severity: 'error',
      from: { path: '^(proto|services|tests|tools)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'not-resolvable',
      comment: 'Imports something that is not there.',
      severity: 'error',
      from: { pathNot: '^node_modules' },
      to: { couldNotResolve: true, pathNot: '^bun(:|$)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Samples of the reference are texts with placeholders.
    exclude: { path: '(^|/)(node_modules|\\.local|proto/gen)/|^services/gateway/src/docs/samples/[^/]+/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['bun', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json', '.sql', '.lua'],
    },
  },
}
