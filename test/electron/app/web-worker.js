'use strict';
/** A web worker with Node. */
onmessage = ({ data: { script, args } }) => {
  require(script)
    .work(...args)
    .then(
      (result) => postMessage({ result }),
      (error) => postMessage({ error: String(error) }),
    );
};
