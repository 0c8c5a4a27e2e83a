from airflow.sdk import DAG

with DAG(
    dag_id="etl",
    schedule="0 3 * * *",
):
    pass
