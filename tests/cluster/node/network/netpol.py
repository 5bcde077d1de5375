#!/usr/bin/env python3
"""netpol.py NODE_NAME PKI_DIR SERVER: enforces NetworkPolicies on one node, which the bridge CNI does not. Asks the API server every
second and writes one nftables table: what is forwarded between pods, and what pods send to the node itself (where the API server
listens). Runs in the node's network namespace; needs net.bridge.bridge-nf-call-iptables=1, so that traffic over one bridge passes it."""
import http.client
import json
import ssl
import subprocess
import sys
import time

NODE, PKI, SERVER = sys.argv[1:4]
context = ssl.create_default_context(cafile=f'{PKI}/ca.crt')
context.load_cert_chain(f'{PKI}/admin.crt', f'{PKI}/admin.key')


def items(path):
    host, port = SERVER.split(':')
    connection = http.client.HTTPSConnection(host, int(port), context=context, timeout=5)
    try:
        connection.request('GET', path)
        return json.loads(connection.getresponse().read())['items']
    finally:
        connection.close()


def matches(selector, labels):
    for key, value in (selector.get('matchLabels') or {}).items():
        if labels.get(key) != value:
            return False
    for expression in selector.get('matchExpressions') or []:
        value, operator = labels.get(expression['key']), expression['operator']
        wrong = {
            'In': value not in expression.get('values', []),
            'NotIn': value in expression.get('values', []),
            'Exists': value is None,
            'DoesNotExist': value is not None,
        }[operator]
        if wrong:
            return False
    return True


def labels_of(thing):
    return thing['metadata'].get('labels', {})


def peer_conditions(policy, peers, pods, namespaces, side):
    """nftables conditions, one of which must hold; an absent list of peers means anybody."""
    if not peers:
        return ['']
    conditions = []
    for peer in peers:
        if 'ipBlock' in peer:
            cidr, excepted = peer['ipBlock']['cidr'], peer['ipBlock'].get('except') or []
            if ':' in cidr:
                continue
            conditions.append(f'ip {side} {cidr} ' + (f'ip {side} != {{ {", ".join(excepted)} }} ' if excepted else ''))
            continue
        spaces = [policy['metadata']['namespace']]
        if 'namespaceSelector' in peer:
            spaces = [name for name, labels in namespaces.items() if matches(peer['namespaceSelector'], labels)]
        for pod in pods:
            if pod['metadata']['namespace'] in spaces and matches(peer.get('podSelector') or {}, labels_of(pod)):
                conditions.append(f'ip {side} {pod["status"]["podIP"]} ')
    return conditions


def port_conditions(ports, pod):
    if not ports:
        return ['']
    conditions = []
    for entry in ports:
        protocol, port = entry.get('protocol', 'TCP').lower(), entry.get('port')
        if isinstance(port, str):
            named = [p for c in pod['spec']['containers'] for p in c.get('ports', []) if p.get('name') == port]
            port = named[0]['containerPort'] if named else 0
        end = f'-{entry["endPort"]}' if 'endPort' in entry else ''
        conditions.append(f'meta l4proto {protocol}' if port is None else f'{protocol} dport {port}{end}')
    return conditions


def table():
    namespaces = {n['metadata']['name']: labels_of(n) for n in items('/api/v1/namespaces')}
    everywhere = items('/api/v1/pods')
    pods = [p for p in everywhere if p['status'].get('podIP') and not p['spec'].get('hostNetwork') and p['status']['phase'] in ('Pending', 'Running')]
    chains = {}
    for policy in items('/apis/networking.k8s.io/v1/networkpolicies'):
        spec = policy['spec']
        for pod in pods:
            here = pod['spec'].get('nodeName') == NODE
            if not here or pod['metadata']['namespace'] != policy['metadata']['namespace'] or not matches(spec.get('podSelector') or {}, labels_of(pod)):
                continue
            for direction, key, side in (('Ingress', 'from', 'saddr'), ('Egress', 'to', 'daddr')):
                if direction not in (spec.get('policyTypes') or ['Ingress']):
                    continue
                rules = chains.setdefault((direction, pod['status']['podIP']), [])
                for rule in spec.get(direction.lower()) or []:
                    for peer in peer_conditions(policy, rule.get(key), pods, namespaces, side):
                        rules += [f'{peer}{port} return' for port in port_conditions(rule.get('ports'), pod)]
    name = lambda direction, address: f'{direction[0]}_{address.replace(".", "_")}'
    lines = ['add table inet netpol', 'delete table inet netpol', 'table inet netpol {']
    for (direction, address), rules in sorted(chains.items()):
        lines += [f' chain {name(direction, address)} {{', *[f'  {rule}' for rule in dict.fromkeys(rules)], '  drop', ' }']
    for hook in ('forward', 'input'):
        lines += [f' chain {hook} {{ type filter hook {hook} priority -5; policy accept;', '  ct state established,related accept']
        # A chain returns where it allows, so that the other side's ingress is judged too.
        lines += [f'  ip saddr {a} jump {name(d, a)}' for d, a in sorted(chains) if d == 'Egress']
        if hook == 'forward':
            lines += [f'  ip daddr {a} jump {name(d, a)}' for d, a in sorted(chains) if d == 'Ingress']
        lines.append(' }')
    return '\n'.join([*lines, '}'])


last = None
while True:
    try:
        text = table()
        if text != last:
            subprocess.run(['nft', '-f', '-'], input=text, text=True, check=True)
            last = text
            print(time.strftime('%H:%M:%S'), 'applied', text.count('jump'), 'chains', flush=True)
    except Exception as error:
        print('ERROR', error, flush=True)
    time.sleep(1)
