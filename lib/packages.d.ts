/**
 * The types of packages, and of modules of Node, that are loaded at their first use: `require` itself returns `any`.
 */
declare namespace NodeJS {
  interface Require {
    (name: '@aws-sdk/client-s3'): import('./io').S3Package;
    (name: '@azure/identity'): import('./io').AzureIdentityPackage;
    (name: '@azure/storage-blob'): import('./io').AzurePackage;
    (name: '@duckdb/node-api'): typeof import('@duckdb/node-api');
    (name: '@google-cloud/storage'): import('./io').GcsPackage;
    (name: '@tensorflow/tfjs-core'): typeof import('@tensorflow/tfjs-core');
    (name: '@tensorflow/tfjs-data'): typeof import('@tensorflow/tfjs-data');
    (name: 'csv-stringify/sync'): typeof import('csv-stringify/sync');
    (name: 'saxes'): typeof import('saxes');
    (name: 'image-size'): typeof import('image-size');
    (name: 'lossless-json'): typeof import('lossless-json');
    (name: 'undici'): { readonly Agent: new () => import('./io').HttpDispatcherLike };
    (name: 'node:net'): typeof import('node:net');
    (name: 'node:stream/web'): typeof import('node:stream/web');
    (name: 'node:zlib'): typeof import('node:zlib');
    (name: 'protobufjs/ext/protojson'): typeof import('protobufjs/ext/protojson');
    (name: 'protobufjs/ext/textformat'): typeof import('protobufjs/ext/textformat');
    (name: 'protobufjs/light'): typeof import('protobufjs/light');
  }
}
