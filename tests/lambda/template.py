#!/usr/bin/env python3
"""Checks template.yaml after SAM's transform: permissions, the table, and what must never be deployed together.

    python3 tests/lambda/template.py        (needs the package aws-sam-translator; no account, no region, no network)

The transform is the one that CloudFormation runs. Prints a line for each check; exits 0 when all hold, 1 when one does not.
"""

import json
import os
import pathlib
import sys

os.environ.setdefault("AWS_DEFAULT_REGION", "eu-west-1")

from samtranslator.translator.transform import transform  # noqa: E402
from samtranslator.yaml_helper import yaml_parse  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Policies:
    """Managed policies by name: the template uses one of Lambda's own."""

    def load(self):
        return {"AWSLambdaBasicExecutionRole": "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"}


def transformed():
    source = yaml_parse((ROOT / "template.yaml").read_text())
    for resource in source["Resources"].values():
        # The transform reads uploaded packages; `sam package` puts such addresses here.
        for name in ("CodeUri", "ContentUri"):
            if name in resource.get("Properties", {}):
                resource["Properties"][name] = "s3://bucket/key"
    return transform(source, {}, Policies())


def of_type(resources, kind):
    return {name: one for name, one in resources.items() if one["Type"] == kind}


def permissions(resources):
    """Every statement that any role of the stack has, as (effect, actions, resources, condition)."""
    for role in of_type(resources, "AWS::IAM::Role").values():
        for policy in role["Properties"].get("Policies", []):
            for statement in policy["PolicyDocument"]["Statement"]:
                yield statement


def one_statement_a_need(resources):
    table = {"Fn::GetAtt": ["FeedbackTable", "Arn"]}
    expected = [{"Effect": "Allow", "Action": ["dynamodb:PutItem", "dynamodb:UpdateItem"], "Resource": table}]
    assert list(permissions(resources)) == expected, list(permissions(resources))


def only_lambdas_own_policy_beside_it(resources):
    roles = of_type(resources, "AWS::IAM::Role")
    assert len(roles) == 1, list(roles)
    managed = [arn for role in roles.values() for arn in role["Properties"].get("ManagedPolicyArns", [])]
    assert len(managed) == 1 and managed[0].endswith("service-role/AWSLambdaBasicExecutionRole"), managed


def the_table_of_the_tests(resources):
    table = dict(resources["FeedbackTable"]["Properties"])
    expected = json.loads((ROOT / "tests/support/feedback_table.json").read_text())
    del expected["TableName"]
    for index in table["GlobalSecondaryIndexes"]:
        del index["OnDemandThroughput"]
    for name, value in expected.items():
        assert table[name] == value, (name, table[name])
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires", "Enabled": True}


def the_table_outlives_the_stack(resources):
    table = resources["FeedbackTable"]
    assert table["DeletionPolicy"] == table["UpdateReplacePolicy"] == "Retain"
    assert table["Properties"]["DeletionProtectionEnabled"] is True
    assert table["Properties"]["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"] is True


def one_front_door(resources):
    doors = {
        name: one.get("Condition")
        for name, one in resources.items()
        if one["Type"].startswith("AWS::ApiGateway") or one["Type"] in ("AWS::Lambda::Url", "AWS::Lambda::Permission")
    }
    assert set(doors.values()) == {"HasHttpApi", "HasFunctionUrl"}, doors
    assert sum(one["Type"] == "AWS::Lambda::Permission" for one in resources.values()) == 3


def everything_is_throttled(resources):
    stage = resources["HttpApiStage"]["Properties"]["DefaultRouteSettings"]
    assert stage == {"ThrottlingRateLimit": {"Ref": "RequestsPerSecond"}, "ThrottlingBurstLimit": {"Ref": "Burst"}}, stage
    table = resources["FeedbackTable"]["Properties"]["OnDemandThroughput"]
    assert table == {"MaxWriteRequestUnits": {"Ref": "FeedbackWriteUnits"}}, table


def cors_is_the_functions_alone(resources):
    text = json.dumps(resources)
    assert "CorsConfiguration" not in text and '"Cors"' not in text


def content_is_a_layer(resources):
    function = resources["Function"]["Properties"]
    (layer,) = of_type(resources, "AWS::Lambda::LayerVersion")
    assert function["Layers"] == [{"Ref": layer}], function["Layers"]
    assert function["Environment"]["Variables"]["SHELFMARK_ARTIFACT"] == "/opt/site.shelf"


def main():
    template = transformed()
    resources = template["Resources"]
    failed = 0
    for check in (
        one_statement_a_need,
        only_lambdas_own_policy_beside_it,
        the_table_of_the_tests,
        the_table_outlives_the_stack,
        one_front_door,
        everything_is_throttled,
        cors_is_the_functions_alone,
        content_is_a_layer,
    ):
        try:
            check(resources)
            outcome = "ok"
        except (AssertionError, KeyError, ValueError) as error:
            failed += 1
            outcome = f"FAILED: {type(error).__name__}: {error}"
        print(f"{check.__name__.replace('_', ' ')} ... {outcome}")
    assert {"Endpoint", "FeedbackTable", "Function", "ContentLayer"} <= set(template["Outputs"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
