#!/usr/bin/env python3
"""Checks template.yaml after SAM's transform: permissions, the table, and what must never be deployed together.

    python3 tests/lambda/template.py        (needs the package aws-sam-translator; no account, no region, no network)

The transform is the one that CloudFormation runs. Prints a line for each check; exits 0 when all hold, 1 when one does not.
"""

import json
import os
import pathlib
import re
import sys

os.environ.setdefault("AWS_DEFAULT_REGION", "eu-west-1")

from samtranslator.translator.transform import transform  # noqa: E402
from samtranslator.yaml_helper import yaml_parse  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Policies:
    """Managed policies by name: the template uses one of Lambda's own."""

    def load(self):
        return {
            "AWSLambdaBasicExecutionRole": "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
            "AWSXrayWriteOnlyAccess": "arn:aws:iam::aws:policy/AWSXrayWriteOnlyAccess",
        }


def transformed(**values):
    """The template as CloudFormation gets it when these parameters are given."""
    source = yaml_parse((ROOT / "template.yaml").read_text())
    for resource in source["Resources"].values():
        # The transform reads uploaded packages; `sam package` puts such addresses here.
        for name in ("CodeUri", "ContentUri"):
            if name in resource.get("Properties", {}):
                resource["Properties"][name] = "s3://bucket/key"
    return transform(source, values, Policies())


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


def tracing_brings_one_more_policy_and_only_when_it_is_active(resources):
    assert "TracingConfig" not in resources["Function"]["Properties"]
    traced = transformed(Tracing="Active")["Resources"]
    assert traced["Function"]["Properties"]["TracingConfig"] == {"Mode": {"Ref": "Tracing"}}
    (role,) = of_type(traced, "AWS::IAM::Role").values()
    more = [arn for arn in role["Properties"]["ManagedPolicyArns"] if "AWSLambdaBasicExecutionRole" not in arn]
    assert len(more) == 1 and more[0].endswith("AWSXrayWriteOnlyAccess"), more
    assert list(permissions(traced)) == list(permissions(resources))


def every_setting_reaches_the_function(resources):
    """Each parameter about what the function does is one of its variables or of its log's settings."""
    properties = resources["Function"]["Properties"]
    text = json.dumps([properties["Environment"], properties["LoggingConfig"]])
    for name in ("FeedbackPerDay", "FeedbackDays", "AllowedOrigins", "TokenSha256", "ZeroResultSalt", "LogLevel"):
        assert f'{{"Ref": "{name}"}}' in text, name
    named = (ROOT / "runtime/src/config.rs").read_text()
    for variable in properties["Environment"]["Variables"]:
        assert f'"{variable}"' in named, variable


def only_digests_are_taken(_):
    pattern = re.compile(yaml_parse((ROOT / "template.yaml").read_text())["Parameters"]["TokenSha256"]["AllowedPattern"])
    digest = "9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a"
    for good in ("", digest, digest.upper(), f"{digest},{digest}", f"{digest}, {digest}"):
        assert pattern.match(good), good
    for bad in (digest[1:], f"{digest}0", f"{digest},", "a token that slipped in"):
        assert not pattern.match(bad), bad


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
        tracing_brings_one_more_policy_and_only_when_it_is_active,
        every_setting_reaches_the_function,
        only_digests_are_taken,
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
