"""Runs OpenStack Swift with its interface of S3 on loopback, in one process: python3 swift.py FOLDER. Prints its address.

Objects are kept in memory. Accounts and containers are databases in FOLDER.
"""
import array
import os
import sys

# Beside this file lies no module that Swift should find.
sys.path.pop(0)

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi
from swift.common import storage_policy, utils
from swift.common.ring import RingData
from swift.common.wsgi import loadapp

FOLDER = sys.argv[1]
SERVERS = {'account': 'account', 'container': 'container', 'object': 'mem_object'}
PROXY = ['catch_errors', 'gatekeeper', 'cache', 'listing_formats', 's3api', 'tempauth', 'copy', 'slo', 'dlo']
SETTINGS = {
    'cache': 'use = egg:swift#memcache\nmemcache_servers = 127.0.0.1:1',
    's3api': 'use = egg:swift#s3api\nlocation = us-east-1',
    'tempauth': 'use = egg:swift#tempauth\nuser_test_tester = testing .admin',
}


def write(name, text):
    path = os.path.join(FOLDER, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


class Silent:
    def write(self, text):
        pass

    def flush(self):
        pass


os.makedirs(os.path.join(FOLDER, 'devices', 'sda'))
settings = write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = tests\nswift_hash_path_prefix = tests\n'
                               '[storage-policy:0]\nname = zero\ndefault = yes\n')
utils.SWIFT_CONF_FILE = storage_policy.SWIFT_CONF_FILE = settings
utils.HASH_PATH_SUFFIX = utils.HASH_PATH_PREFIX = b'tests'
storage_policy.reload_storage_policies()

sockets = {role: eventlet.listen(('127.0.0.1', 0)) for role in [*SERVERS, 'proxy']}
ports = {role: socket.getsockname()[1] for role, socket in sockets.items()}
for role in SERVERS:
    device = {'id': 0, 'region': 0, 'zone': 0, 'weight': 1, 'device': 'sda', 'ip': '127.0.0.1', 'port': ports[role],
              'replication_ip': '127.0.0.1', 'replication_port': ports[role]}
    RingData([array.array('H', [0, 0])], [device], 31).save(os.path.join(FOLDER, role + '.ring.gz'))

DEFAULT = (f'[DEFAULT]\nswift_dir = {FOLDER}\ndevices = {FOLDER}/devices\nmount_check = false\nlog_level = ERROR\n'
           f'log_address = {FOLDER}/no-log\n')
# A busy machine answers late: each server waits for it, so listings have each object, and no node is avoided after errors.
PATIENT = 'conn_timeout = 60\nnode_timeout = 60\ncontainer_update_timeout = 60\n'
pipelines = {role: f'[pipeline:main]\npipeline = app\n[app:app]\nuse = egg:swift#{app}\n{PATIENT}' for role, app in SERVERS.items()}
pipelines['proxy'] = f'[pipeline:main]\npipeline = {" ".join(PROXY)} proxy-server\n' + ''.join(
    f'[filter:{name}]\n{SETTINGS.get(name, "use = egg:swift#" + name)}\n' for name in PROXY
) + f'[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\nerror_suppression_interval = 0\n{PATIENT}'
for role, pipeline in pipelines.items():
    app = loadapp(write(role + '.conf', DEFAULT + pipeline))
    eventlet.spawn(wsgi.server, sockets[role], app, Silent(), debug=False)
print(f'http://127.0.0.1:{ports["proxy"]}', flush=True)
eventlet.sleep(3600)
