export default { paths: () => [{ params: { pkg: 'plantednineteen' } }] }
